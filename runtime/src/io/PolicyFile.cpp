//===- PolicyFile.cpp - Finite-state policies in files --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PolicyFile.h"

#include "File.h"
#include "JsonMembers.h"

#include <map>
#include <optional>

namespace amprt {

static constexpr const char *formatName = "amprt-policy";

static constexpr StateEncoding allEncodings[] = {
    StateEncoding::set, StateEncoding::largest, StateEncoding::sorted};

std::string policyText(const PolicyFile &file) {
  // By hand, so that a state is a line.
  Json head = {{"format", formatName},
               {"version", 1},
               {"model", file.model},
               {"cells", file.cells},
               {"encoding", encodingName(file.table.encoding)},
               {"patience", file.table.patience}};
  head["training"] = Json::object();
  for (const auto &[name, value] : file.training)
    head["training"][name] = value;
  std::string text = dump(head);
  text.pop_back();
  text += ",\"states\":[";
  const char *separator = "\n";
  std::map<StateKey, uint32_t> states(file.table.cells.begin(),
                                      file.table.cells.end());
  for (const auto &[key, cell] : states) {
    std::vector<uint32_t> ready(key.begin(), key.end());
    text += separator + dump({{"ready", ready}, {"run", cell}});
    separator = ",\n";
  }
  return text + "\n]}\n";
}

/// "" or what is wrong.
static std::string takeState(const Json &json, size_t cellCount,
                             PolicyTable &table) {
  const Json *ready = arrayMember(json, "ready");
  auto run = json.is_object() ? json.find("run") : json.end();
  uint32_t picked = 0;
  if (!ready || run == json.end() || !takeNumber(*run, cellCount, picked))
    return "expected \"ready\", an array, and \"run\", a cell's number";
  StateKey key;
  std::vector<bool> isReady(cellCount);
  for (const Json &each : *ready) {
    uint32_t cell = 0;
    if (!takeNumber(each, cellCount, cell) || isReady[cell])
      return "\"ready\" has " + shortDump(each) +
             ", which is no cell, or is there twice";
    isReady[cell] = true;
    key.push_back(static_cast<char16_t>(cell));
  }
  if (!isReady[picked])
    return "\"run\" is " + std::to_string(picked) + ", which is not ready";
  canonicalise(table.encoding, key);
  if (!table.cells.emplace(std::move(key), picked).second)
    return "another one is the same";
  return "";
}

static std::string takeFile(const Json &json, PolicyFile &file) {
  if (std::string error = checkFormat(json, formatName, 1); !error.empty())
    return error;
  const Json *model = stringMember(json, "model");
  const Json *cells = arrayMember(json, "cells");
  const Json *encoding = stringMember(json, "encoding");
  const Json *states = arrayMember(json, "states");
  if (!model || !cells || !encoding || !states)
    return "expected \"model\" and \"encoding\", strings, and \"cells\" and "
           "\"states\", arrays";
  file.model = *model;
  if (cells->size() > mostEncodedCells)
    return "it has too many cells";
  for (const Json &cell : *cells) {
    if (!cell.is_string())
      return "\"cells\" has " + shortDump(cell) + ", which is no name";
    file.cells.push_back(cell);
  }
  std::optional<StateEncoding> known;
  for (StateEncoding each : allEncodings)
    if (*encoding == encodingName(each))
      known = each;
  if (!known)
    return "unknown encoding " + shortDump(*encoding) +
           ": there are set, largest, sorted";
  file.table.encoding = *known;
  auto patience = json.find("patience");
  if (patience == json.end() ||
      !takeNumber(*patience, UINT32_MAX, file.table.patience))
    return "\"patience\" is missing or no number";
  for (size_t i = 0; i < states->size(); ++i)
    if (std::string error =
            takeState((*states)[i], file.cells.size(), file.table);
        !error.empty())
      return "state " + std::to_string(i) + ": " + error;
  return "";
}

Expected<PolicyFile> parsePolicyFile(const std::string &text,
                                     const std::string &name) {
  Json json;
  PolicyFile file;
  std::string error = parseJson(text, json);
  if (error.empty())
    error = takeFile(json, file);
  if (!error.empty())
    return Status(StatusCode::invalidArgument,
                  "'" + name + "' is no policy: " + error);
  return file;
}

Expected<PolicyTable> loadPolicyTable(const std::string &path,
                                      const amprt_model_t &model) {
  Expected<std::string> text = readText(path);
  if (!text)
    return text.status();
  Expected<PolicyFile> file = parsePolicyFile(*text, path);
  if (!file)
    return file.status();
  auto mismatch = [&](const std::string &what) {
    return Status(StatusCode::failedPrecondition,
                  "'" + path + "' is a policy of another model: " + what +
                      "; record the model anew and train again");
  };
  if (file->model != model.name)
    return mismatch("it was trained for '" + file->model + "', this is '" +
                    model.name + "'");
  if (file->cells.size() != model.cell_count)
    return mismatch("it knows " + std::to_string(file->cells.size()) +
                    " cells, this has " + std::to_string(model.cell_count));
  for (uint32_t i = 0; i < model.cell_count; ++i)
    if (file->cells[i] != model.cells[i].name)
      return mismatch("its cell " + std::to_string(i) + " is '" +
                      file->cells[i] + "', this one's is '" +
                      model.cells[i].name + "'");
  return std::move(file->table);
}

} // namespace amprt
