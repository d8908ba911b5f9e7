//===- RecordingFile.cpp - Recorded runs in JSON --------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordingFile.h"

#include "File.h"
#include "JsonMembers.h"

namespace amprt {

static constexpr const char *formatName = "amprt-recording";
static constexpr int version = 2;

std::string recordingText(const Recording::Data &data) {
  // By hand, so that a worker is a line.
  Json head = {{"format", formatName},
               {"version", version},
               {"model", data.model},
               {"policy", data.policy},
               {"max_batch", data.maxBatch},
               {"max_in_flight", data.maxInFlight},
               {"replicas", data.replicas},
               {"meet_every", data.meetEvery},
               {"owners", data.placement.owners}};
  std::string text = dump(head);
  text.pop_back();
  text += ",\"decisions\":[";
  const char *separator = "\n[";
  for (const std::vector<Decision> &worker : data.decisions) {
    text += separator;
    const char *comma = "";
    for (const Decision &each : worker) {
      text += comma + std::to_string(uint32_t(each.kind)) + ',' +
              std::to_string(each.from) + ',' + std::to_string(each.count);
      comma = ",";
    }
    text += ']';
    separator = ",\n[";
  }
  return text + "\n]}\n";
}

static bool takeNumber(const Json &json, const char *name, int64_t least,
                       int64_t &value) {
  auto found = json.find(name);
  if (found == json.end() || !found->is_number_integer())
    return false;
  value = found->get<int64_t>();
  return value >= least;
}

static std::string takeWorker(const Json &numbers,
                              std::vector<Decision> &decisions) {
  if (!numbers.is_array() || numbers.size() % 3 != 0)
    return "expected an array with three numbers for each decision";
  for (size_t i = 0; i < numbers.size(); i += 3) {
    for (size_t k = 0; k < 3; ++k)
      if (!numbers[i + k].is_number_unsigned())
        return shortDump(numbers[i + k]) + " is no number";
    uint64_t kind = numbers[i];
    if (kind > uint64_t(Decision::Kind::meet))
      return "there is no decision of kind " + std::to_string(kind);
    decisions.push_back({Decision::Kind(kind), numbers[i + 1], numbers[i + 2]});
  }
  return "";
}

static std::string takeRecording(const Json &json, Recording::Data &data) {
  if (std::string error = checkFormat(json, formatName, version);
      !error.empty())
    return error;
  const Json *model = stringMember(json, "model");
  const Json *policy = stringMember(json, "policy");
  const Json *owners = arrayMember(json, "owners");
  const Json *decisions = arrayMember(json, "decisions");
  if (!model || !policy || !owners || !decisions ||
      !takeNumber(json, "max_batch", 1, data.maxBatch) ||
      !takeNumber(json, "max_in_flight", 1, data.maxInFlight) ||
      !takeNumber(json, "replicas", 1, data.replicas) ||
      !takeNumber(json, "meet_every", 0, data.meetEvery))
    return "expected \"model\" and \"policy\", strings, \"max_batch\", "
           "\"max_in_flight\", \"replicas\" and \"meet_every\", numbers, "
           "\"owners\" and \"decisions\", arrays";
  data.model = *model;
  data.policy = *policy;
  for (const Json &owner : *owners) {
    if (!owner.is_number_integer() || owner.get<int64_t>() < Placement::home ||
        owner.get<int64_t>() >= int64_t(decisions->size()))
      return "\"owners\" has " + shortDump(owner) + ", which is no worker";
    data.placement.owners.push_back(owner);
  }
  for (size_t i = 0; i < decisions->size(); ++i)
    if (std::string error =
            takeWorker((*decisions)[i], data.decisions.emplace_back());
        !error.empty())
      return "worker " + std::to_string(i) + ": " + error;
  return data.decisions.empty() ? "it has no worker" : "";
}

Expected<Recording::Data> parseRecording(const std::string &text,
                                         const std::string &name) {
  Json json;
  Recording::Data data;
  std::string error = parseJson(text, json);
  if (error.empty())
    error = takeRecording(json, data);
  if (!error.empty())
    return Status(StatusCode::invalidArgument,
                  "'" + name + "' is no recording: " + error);
  return data;
}

Expected<Recording> Recording::load(const std::string &path) {
  Expected<std::string> text = readText(path);
  if (!text)
    return text.status();
  Expected<Data> data = parseRecording(*text, path);
  if (!data)
    return data.status();
  return Recording(std::make_shared<const Data>(std::move(*data)));
}

Status Recording::save(const std::string &path) const {
  return writeFileAtomically(
      path, [&](OutputFile &to) { return to.write(recordingText(*data)); });
}

} // namespace amprt
