//===- CutFile.cpp - What checkpoints have of asynchronous training -------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/CutFile.h"

#include <algorithm>
#include <cstring>

namespace amprt {

static constexpr int64_t countsOfParam = 5;
static const std::string prefix = "async/", countsName = prefix + "counts",
                         statesName = prefix + "states",
                         lossesName = prefix + "losses";

static std::string nameOf(const std::string &replica, const char *kind,
                          const std::string &of) {
  return prefix + replica + "/" + kind + "/" + of;
}

Tensor &CutFile::make(std::vector<NamedTensor> &tensors, std::string name,
                      amprt_dtype_t dtype, std::vector<int64_t> dims,
                      const void *from) {
  Tensor &tensor = made.emplace_back(dtype, std::move(dims));
  if (from && tensor.byteCount())
    std::memcpy(tensor.data(), from, tensor.byteCount());
  tensors.push_back({std::move(name), &tensor});
  return tensor;
}

void CutFile::addGradient(const std::string &replica, const char *param,
                          const PendingGradient &gradient,
                          std::vector<NamedTensor> &tensors) {
  if (gradient.touched == Touched::rows)
    make(tensors, nameOf(replica, "rows", param), AMPRT_I64,
         {gradient.rowCount}, gradient.rows.data());
  if (gradient.touched != Touched::nothing)
    make(tensors, nameOf(replica, "values", param), AMPRT_F32,
         {gradient.valueCount(gradient.values.elementCount(),
                              gradient.rowLength)},
         gradient.values.data());
  for (const PendingGradient::Product &each : gradient.products) {
    if (each.used == 0)
      continue;
    std::string number = std::to_string(each.number);
    make(tensors, nameOf(replica, "x", number), AMPRT_F32,
         {each.used, each.x.dims()[1]}, each.x.data());
    make(tensors, nameOf(replica, "dy", number), AMPRT_F32,
         {each.used, each.dy.dims()[1]}, each.dy.data());
    if (each.which.elementCount())
      make(tensors, nameOf(replica, "which", number), AMPRT_I32, {each.used},
           each.which.data());
  }
}

void CutFile::add(Cut &cut, const amprt_model_t &model, bool skipsFailed,
                  std::vector<NamedTensor> &tensors) {
  int64_t params = model.param_count;
  Tensor &counts = make(tensors, countsName, AMPRT_I64,
                        {cut.replicas(), params, countsOfParam}, nullptr);
  for (size_t worker = 0; worker < cut.owned.size(); ++worker) {
    OwnedCopy &copy = *cut.owned[worker];
    int64_t replica = cut.replicaOf(int(worker));
    for (size_t i = 0; i < copy.updates().parameters().size(); ++i) {
      uint32_t param = copy.updates().parameters()[i].param;
      const OwnedCopy::Part &part = copy.part(i);
      auto *to = static_cast<int64_t *>(counts.data()) +
                 (replica * params + param) * countsOfParam;
      to[0] = part.gradient.given;
      to[1] = int64_t(part.gradient.touched);
      to[2] = part.counts.instances;
      to[3] = part.counts.ended;
      to[4] = part.counts.late;
      addGradient(std::to_string(replica), model.params[param].name,
                  part.gradient, tensors);
    }
  }
  const PassProgress &progress = cut.progress();
  auto count = int64_t(progress.states.size());
  if (count == 0)
    return;
  Tensor &states = make(tensors, statesName, AMPRT_I32, {count}, nullptr);
  for (size_t i = 0; i < progress.states.size(); ++i) {
    bool again = progress.states[i] == PassProgress::failed && !skipsFailed;
    static_cast<int32_t *>(states.data())[i] =
        again ? int32_t(PassProgress::open) : int32_t(progress.states[i]);
  }
  make(tensors, lossesName, AMPRT_F64, {count}, progress.losses.data());
}

Status RestoredCut::readProgress(const CheckpointReader &file) {
  if (!file.has(statesName))
    return {};
  auto states = file.tensor(statesName, AMPRT_I32, 1);
  if (!states)
    return states.status();
  auto losses = file.tensor(lossesName, AMPRT_F64, 1);
  if (!losses)
    return losses.status();
  if (losses->elementCount() != states->elementCount())
    return file.named({StatusCode::invalidArgument,
                       "not as many losses as instances of the pass"});
  progress.resize(size_t(states->elementCount()));
  for (size_t i = 0; i < progress.states.size(); ++i) {
    int32_t state = static_cast<const int32_t *>(states->data())[i];
    if (state < PassProgress::open || state > PassProgress::failed)
      return file.named({StatusCode::invalidArgument,
                         "an instance of the pass has no state that is known"});
    progress.states[i] = uint8_t(state);
    progress.losses[i] = static_cast<const double *>(losses->data())[i];
  }
  return {};
}

/// `room` has what the gradient's products are like.
Expected<RestoredCut::Part> RestoredCut::readPart(const CheckpointReader &file,
                                                  const std::string &replica,
                                                  const char *param,
                                                  const int64_t *counts,
                                                  PendingGradient room) {
  Part part;
  part.counts = {counts[2], counts[3], counts[4], 0};
  if (counts[1] < 0 || counts[1] > int64_t(Touched::everything) ||
      std::any_of(counts + 2, counts + 5, [](int64_t n) { return n < 0; }))
    return file.named({StatusCode::invalidArgument,
                       "'" + countsName + "' has a number that cannot be"});
  part.gradient.given = counts[0];
  part.gradient.touched = Touched(counts[1]);
  Status status;
  auto take = [&](Tensor &to, const char *kind, const std::string &of,
                  amprt_dtype_t dtype, size_t rank) {
    auto read = file.tensor(nameOf(replica, kind, of), dtype, rank);
    if (read)
      to = std::move(*read);
    else if (status.ok())
      status = read.status();
  };
  if (part.gradient.touched == Touched::rows) {
    take(part.gradient.rows, "rows", param, AMPRT_I64, 1);
    part.gradient.rowCount = part.gradient.rows.elementCount();
  }
  if (part.gradient.touched != Touched::nothing)
    take(part.gradient.values, "values", param, AMPRT_F32, 1);
  for (const PendingGradient::Product &like : room.products) {
    std::string number = std::to_string(like.number);
    if (!file.has(nameOf(replica, "x", number)))
      continue;
    PendingGradient::Product product = {like.number, 0, {}, {}, {}};
    take(product.x, "x", number, AMPRT_F32, 2);
    take(product.dy, "dy", number, AMPRT_F32, 2);
    if (like.which.elementCount())
      take(product.which, "which", number, AMPRT_I32, 1);
    if (!status.ok())
      break;
    product.used = product.x.dims()[0];
    bool fits = product.x.dims()[1] == like.x.dims()[1] &&
                product.dy.dims()[1] == like.dy.dims()[1] &&
                product.dy.dims()[0] == product.used &&
                (!like.which.elementCount() ||
                 product.which.elementCount() == product.used);
    if (!fits)
      return file.named({StatusCode::invalidArgument,
                         "rows of gradient " + number + " do not fit it"});
    part.gradient.products.push_back(std::move(product));
  }
  if (!status.ok())
    return status;
  return part;
}

Status RestoredCut::read(const CheckpointReader &file, Cut &cut,
                         const amprt_model_t &model) {
  if (!file.has(countsName))
    return {};
  auto counts = file.tensor(countsName, AMPRT_I64, 3);
  if (!counts)
    return counts.status();
  if (counts->dims()[0] != cut.replicas())
    return readProgress(file); // What waits has nobody that it belongs to.
  int64_t params = model.param_count;
  if (counts->dims()[1] != params || counts->dims()[2] != countsOfParam)
    return file.named({StatusCode::invalidArgument,
                       "'" + countsName + "' is of another model"});
  for (size_t worker = 0; worker < cut.owned.size(); ++worker) {
    OwnedCopy &copy = *cut.owned[worker];
    int64_t replica = cut.replicaOf(int(worker));
    parts.emplace_back();
    for (const LocalUpdates::Owned &each : copy.updates().parameters()) {
      auto part =
          readPart(file, std::to_string(replica), model.params[each.param].name,
                   static_cast<const int64_t *>(counts->data()) +
                       (replica * params + each.param) * countsOfParam,
                   copy.gradientsOf().makePending(each.param));
      if (!part)
        return part.status();
      if (Status status =
              copy.gradientsOf().checkPending(each.param, part->gradient);
          !status.ok())
        return file.named(status);
      parts.back().push_back(std::move(*part));
    }
  }
  return readProgress(file);
}

void RestoredCut::apply(Cut &cut) {
  for (size_t worker = 0; worker < parts.size(); ++worker) {
    OwnedCopy &copy = *cut.owned[worker];
    std::vector<LocalUpdates::Counts> counts;
    for (size_t i = 0; i < parts[worker].size(); ++i) {
      copy.gradientsOf().takePending(copy.updates().parameters()[i].param,
                                     parts[worker][i].gradient);
      counts.push_back(parts[worker][i].counts);
    }
    if (!counts.empty())
      copy.updates().resume(counts);
  }
}

} // namespace amprt
