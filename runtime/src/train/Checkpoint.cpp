//===- Checkpoint.cpp - A trainer as a file -------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One safetensors file: each parameter under its name, so that `run -w` takes
// the file as it is; the optimiser's arrays and the masters of half-precision
// parameters under names that begin with "optimiser/"; of asynchronous training
// what waits for an update, and how far the pass is (CutFile.h); numbers as
// metadata; and a checksum.
//
//===----------------------------------------------------------------------===//

#include "train/CutFile.h"

#include <cstring>
#include <new>

namespace amprt {

static const std::string formatKey = "amprt.format", modelKey = "amprt.model",
                         optimiserKey = "amprt.optimiser",
                         updatesKey = "amprt.updates",
                         instancesKey = "amprt.instances";
static const std::string format = "checkpoint 1";
static const std::string stepsName = "optimiser/steps";

static std::string masterName(const char *param) {
  return "optimiser/master/" + std::string(param);
}
static std::string stateName(const char *state, const char *param) {
  return "optimiser/" + std::string(state) + "/" + param;
}

/// Calls visit(name, tensor) for all arrays that go with a parameter; those of
/// the optimiser only if there were updates, else they are zero.
template <typename Visit>
static void forEachArray(TrainedParam &param, const char *name,
                         const Optimiser &optimiser, int64_t steps,
                         Visit visit) {
  visit(std::string(name), *param.tensor);
  if (param.master.elementCount() != 0)
    visit(masterName(name), param.master);
  if (steps > 0)
    for (size_t i = 0; i < param.state.size(); ++i)
      visit(stateName(optimiser.states()[i], name), param.state[i]);
}

Status Trainer::save(const std::string &path,
                     const std::map<std::string, std::string> &notes) const {
  Cut *cut = impl->cut.get();
  if (!cut || cut->isTaken())
    return impl->save(path, notes, updates());
  try {
    cut->allocate();
  } catch (const std::bad_alloc &) {
    return {StatusCode::resourceExhausted, "no memory for a checkpoint"};
  }
  cut->takeQuiet();
  cut->finish();
  Status status = impl->save(path, notes, updates());
  cut->doneWith();
  return status;
}

/// If asynchronous, of the cut.
Status Trainer::Impl::save(const std::string &path,
                           const std::map<std::string, std::string> &notes,
                           int64_t updatesSoFar) {
  const amprt_model_t &model = this->model.descriptor();
  std::map<std::string, std::string> metadata = {
      {formatKey, format},
      {modelKey, model.name},
      {optimiserKey, optimiserName(options.optimiser.kind)},
      {updatesKey, std::to_string(updatesSoFar)},
      {instancesKey, std::to_string(instances)}};
  for (auto &[key, value] : notes)
    metadata[checkpointNoteKey + key] = value;
  Tensor steps(AMPRT_I64, {int64_t(params().size())});
  std::vector<NamedTensor> tensors = {{stepsName, &steps}};
  for (size_t i = 0; i < params().size(); ++i) {
    TrainedParam *copied = cut ? cut->copyOf(uint32_t(i)) : nullptr;
    TrainedParam &param = copied ? *copied : params()[i];
    static_cast<int64_t *>(steps.data())[i] = param.step;
    forEachArray(param, model.params[i].name, *optimiser, param.step,
                 [&](const std::string &name, const Tensor &tensor) {
                   tensors.push_back({name, &tensor});
                 });
  }
  CutFile more;
  if (cut)
    more.add(*cut, model, options.skipFailed, tensors);
  return writeCheckedSafetensors(path, tensors, metadata);
}

namespace {
/// Bytes that will go into a tensor once all is known to be right.
struct Copy {
  Tensor *to;
  const unsigned char *from;
};
} // namespace

static Expected<CheckpointReader> openCheckpoint(const std::string &path) {
  Expected<SafetensorsFile> file = readSafetensors(path);
  if (!file)
    return file.status();
  std::string name = "'" + path + "'";
  if (Status status = verifyChecksum(*file, name); !status.ok())
    return status;
  return CheckpointReader(std::move(*file), name);
}

Expected<std::map<std::string, std::string>>
Trainer::restore(const std::string &path) {
  Expected<CheckpointReader> file = openCheckpoint(path);
  if (!file)
    return file.status();
  const amprt_model_t &model = impl->model.descriptor();
  int64_t updates = 0;
  uint64_t instances = 0;
  for (Status status :
       {file->expect(formatKey, format), file->expect(modelKey, model.name),
        file->expect(optimiserKey, optimiserName(impl->options.optimiser.kind)),
        file->number(updatesKey, updates),
        file->number(instancesKey, instances)})
    if (!status.ok())
      return status;

  Tensor steps(AMPRT_I64, {int64_t(impl->params().size())});
  auto stepBytes = file->bytes(stepsName, steps);
  if (!stepBytes)
    return stepBytes.status();
  std::memcpy(steps.data(), *stepBytes, steps.byteCount());
  auto stepsOf = [&](size_t i) {
    return static_cast<const int64_t *>(steps.data())[i];
  };
  std::vector<Copy> copies;
  Status status;
  for (size_t i = 0; i < impl->params().size(); ++i)
    forEachArray(impl->params()[i], model.params[i].name, *impl->optimiser,
                 stepsOf(i), [&](const std::string &name, Tensor &tensor) {
                   auto bytes = file->bytes(name, tensor);
                   if (bytes)
                     copies.push_back({&tensor, *bytes});
                   else if (status.ok())
                     status = bytes.status();
                 });
  if (!status.ok())
    return status;
  RestoredCut cut;
  if (impl->cut)
    if (status = cut.read(*file, *impl->cut, model); !status.ok())
      return status;

  // Nothing can fail any more.
  for (size_t i = 0; i < impl->params().size(); ++i) {
    impl->params()[i].step = stepsOf(i);
    for (Tensor &each : impl->params()[i].state)
      if (each.byteCount())
        std::memset(each.data(), 0, each.byteCount());
  }
  for (const Copy &copy : copies)
    if (copy.to->byteCount())
      std::memcpy(copy.to->data(), copy.from, copy.to->byteCount());
  for (TrainedParam &param : impl->params())
    param.findLiveRows();
  for (size_t r = 1; r < impl->replicas.size(); ++r)
    for (size_t i = 0; i < impl->params().size(); ++i)
      impl->replicas[r].params[i].copyFrom(impl->params()[i]);
  if (impl->averaging)
    impl->averaging->noteSteps();
  impl->instances = instances;
  impl->updater->discard();
  impl->updater->repackAll();
  for (std::unique_ptr<LocalUpdates> &each : impl->local)
    each->resumeAfter(int64_t(instances));
  impl->updates += updates - this->updates();
  impl->resumed = std::move(cut.progress);
  if (impl->cut)
    cut.apply(*impl->cut);
  return file->notes();
}

} // namespace amprt
