//===- GraphFile.cpp - Which activations needed which ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphFile.h"

#include "File.h"
#include "JsonMembers.h"

#include <algorithm>

namespace amprt {

static constexpr const char *formatName = "amprt-graph";

RecordedRun recordedModel(const amprt_model_t &model) {
  RecordedRun run;
  run.model = model.name;
  for (uint32_t i = 0; i < model.cell_count; ++i) {
    const amprt_cell_desc_t &cell = model.cells[i];
    run.cells.push_back({cell.name, cell.priority,
                         (cell.flags & uint32_t(AMPRT_CELL_HAS_PRODUCT)) != 0});
  }
  return run;
}

static void append(std::string &text, const RecordedInstance &instance) {
  text += '[';
  for (const RecordedActivation &activation : instance) {
    if (&activation != instance.data())
      text += ',';
    text += '[' + std::to_string(activation.cell);
    for (uint32_t input : activation.inputs)
      text += ',' + std::to_string(input);
    text += ']';
  }
  text += "]\n";
}

Status writeGraphFile(const std::string &path, const RecordedRun &run) {
  Expected<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.status();
  Json head = {{"format", formatName}, {"version", 1}, {"model", run.model}};
  head["cells"] = Json::array();
  for (const RecordedCell &cell : run.cells)
    head["cells"].push_back({{"name", cell.name},
                             {"priority", cell.priority},
                             {"product", cell.hasProduct}});
  (void)file->write(dump(head) + "\n");
  for (const RecordedInstance &instance : run.instances) {
    std::string line;
    append(line, instance);
    (void)file->write(line);
  }
  return file->close(); // The first failure sticks.
}

/// "" or what is wrong.
static std::string takeHead(const Json &json, RecordedRun &run) {
  if (std::string error = checkFormat(json, formatName, 1); !error.empty())
    return error;
  const Json *model = stringMember(json, "model");
  const Json *cells = arrayMember(json, "cells");
  if (!model || !cells)
    return "expected \"model\", a string, and \"cells\", an array";
  run.model = *model;
  for (const Json &each : *cells) {
    const Json *name = stringMember(each, "name");
    auto priority = each.is_object() ? each.find("priority") : each.end();
    auto product = each.is_object() ? each.find("product") : each.end();
    uint32_t value = 0;
    if (!name || priority == each.end() ||
        !takeNumber(*priority, UINT32_MAX, value) || product == each.end() ||
        !product->is_boolean())
      return "expected a cell's \"name\", \"priority\" and \"product\"";
    run.cells.push_back({*name, value, *product});
  }
  return "";
}

static std::string takeInstance(const Json &json, size_t cellCount,
                                RecordedInstance &instance) {
  if (!json.is_array())
    return "expected an array of activations";
  for (const Json &each : json) {
    std::string what = "activation " + std::to_string(instance.size()) + ": ";
    if (!each.is_array() || each.empty())
      return what + "expected an array that begins with a cell";
    RecordedActivation activation;
    if (!takeNumber(each[0], cellCount, activation.cell))
      return what + "there is no cell " + shortDump(each[0]);
    for (size_t i = 1; i < each.size(); ++i) {
      uint32_t input = 0;
      if (!takeNumber(each[i], instance.size(), input))
        return what + "no activation " + shortDump(each[i]) + " before it";
      activation.inputs.push_back(input);
    }
    instance.push_back(std::move(activation));
  }
  return "";
}

Expected<RecordedRun> parseGraphFile(std::string_view text,
                                     const std::string &name) {
  RecordedRun run;
  size_t number = 0;
  while (!text.empty()) {
    ++number;
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    Json json;
    std::string error = parseJson(line, json);
    if (error.empty() && number == 1)
      error = takeHead(json, run);
    else if (error.empty())
      error =
          takeInstance(json, run.cells.size(), run.instances.emplace_back());
    if (!error.empty())
      return Status(StatusCode::invalidArgument, "'" + name + "', line " +
                                                     std::to_string(number) +
                                                     ": " + error);
  }
  if (number == 0)
    return Status(StatusCode::invalidArgument, "'" + name + "' is empty");
  return run;
}

Expected<RecordedRun> readGraphFile(const std::string &path) {
  Expected<std::vector<unsigned char>> bytes = readFile(path);
  if (!bytes)
    return bytes.status();
  return parseGraphFile(
      {reinterpret_cast<const char *>(bytes->data()), bytes->size()}, path);
}

} // namespace amprt
