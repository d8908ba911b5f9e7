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
// parameters under names that begin with "optimiser/"; numbers as metadata; and
// a checksum.
//
//===----------------------------------------------------------------------===//

#include "core/Types.h"
#include "io/Safetensors.h"
#include "train/TrainerImpl.h"

#include <charconv>
#include <cstring>
#include <new>

namespace amprt {

static const std::string formatKey = "amprt.format", modelKey = "amprt.model",
                         optimiserKey = "amprt.optimiser",
                         updatesKey = "amprt.updates",
                         instancesKey = "amprt.instances", noteKey = "note.";
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
  const amprt_model_t &model = impl->model.descriptor();
  std::map<std::string, std::string> metadata = {
      {formatKey, format},
      {modelKey, model.name},
      {optimiserKey, optimiserName(impl->options.optimiser.kind)},
      {updatesKey, std::to_string(updates())},
      {instancesKey, std::to_string(impl->instances)}};
  for (auto &[key, value] : notes)
    metadata[noteKey + key] = value;
  Tensor steps(AMPRT_I64, {int64_t(impl->params().size())});
  std::vector<NamedTensor> tensors = {{stepsName, &steps}};
  for (size_t i = 0; i < impl->params().size(); ++i) {
    TrainedParam &param = impl->params()[i];
    static_cast<int64_t *>(steps.data())[i] = param.step;
    forEachArray(param, model.params[i].name, *impl->optimiser, param.step,
                 [&](const std::string &name, const Tensor &tensor) {
                   tensors.push_back({name, &tensor});
                 });
  }
  return writeCheckedSafetensors(path, tensors, metadata);
}

namespace {
/// A file, and what must be right in it.
class Reader {
public:
  Reader(SafetensorsFile file, std::string name)
      : file(std::move(file)), name(std::move(name)) {}

  Status expect(const std::string &key, const std::string &value) const {
    auto found = file.metadata.find(key);
    if (found != file.metadata.end() && found->second == value)
      return {};
    return {StatusCode::failedPrecondition,
            name + ": " + key + " is '" +
                (found == file.metadata.end() ? "" : found->second) +
                "', but must be '" + value + "'"};
  }

  template <typename T> Status number(const std::string &key, T &value) const {
    auto found = file.metadata.find(key);
    if (found != file.metadata.end()) {
      const std::string &text = found->second;
      auto [end, error] =
          std::from_chars(text.data(), text.data() + text.size(), value);
      if (error == std::errc() && end == text.data() + text.size())
        return {};
    }
    return {StatusCode::invalidArgument, name + ": " + key + " is no number"};
  }

  /// The bytes of a tensor that must be like `expected`.
  Expected<const unsigned char *> bytes(const std::string &tensor,
                                        const Tensor &expected) const {
    const SafetensorsFile::Entry *entry = file.find(tensor);
    if (entry && entry->dtype == safetensorsDtype(expected.dtype()) &&
        entry->dims == expected.dims())
      return file.bytes.data() + entry->begin;
    return Status(StatusCode::failedPrecondition,
                  name + ": it has no tensor '" + tensor + "' of type " +
                      describeTensor(expected));
  }

  std::map<std::string, std::string> notes() const {
    std::map<std::string, std::string> found;
    for (auto &[key, value] : file.metadata)
      if (key.compare(0, noteKey.size(), noteKey) == 0)
        found[key.substr(noteKey.size())] = value;
    return found;
  }

private:
  SafetensorsFile file;
  std::string name;
};

/// Bytes that will go into a tensor once all is known to be right.
struct Copy {
  Tensor *to;
  const unsigned char *from;
};
} // namespace

static Expected<Reader> openCheckpoint(const std::string &path) {
  Expected<SafetensorsFile> file = readSafetensors(path);
  if (!file)
    return file.status();
  std::string name = "'" + path + "'";
  if (Status status = verifyChecksum(*file, name); !status.ok())
    return status;
  return Reader(std::move(*file), name);
}

Expected<std::map<std::string, std::string>>
Trainer::restore(const std::string &path) {
  Expected<Reader> file = openCheckpoint(path);
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
  impl->updates = updates;
  impl->instances = instances;
  for (std::unique_ptr<LocalUpdates> &each : impl->local)
    each->resumeAfter(int64_t(instances));
  impl->updater->repackAll();
  return file->notes();
}

} // namespace amprt
