//===- PlacementFile.cpp - Placements in JSON -----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementFile.h"

#include "File.h"
#include "JsonMembers.h"

#include <unordered_map>

namespace amprt {

static constexpr const char *formatName = "amprt-placement";
static constexpr uint32_t mostWorkers = 1024;

std::string placementText(const amprt_model_t &model,
                          const Placement &placement) {
  // By hand, so that a cell is a line.
  std::string text = "{\"format\":" + dump(Json(formatName)) +
                     ",\"version\":1,\"model\":" + dump(Json(model.name)) +
                     ",\"cells\":{";
  const char *separator = "\n";
  for (uint32_t i = 0; i < model.cell_count; ++i) {
    int32_t owner = placement.owners[i];
    text += separator + dump(Json(model.cells[i].name)) + ":" +
            (owner == Placement::home ? "\"home\"" : std::to_string(owner));
    separator = ",\n";
  }
  return text + "\n}}\n";
}

/// "" or what is wrong.
static std::string takeCells(const Json &cells, const amprt_model_t &model,
                             Placement &placement) {
  std::unordered_map<std::string, uint32_t> numbers;
  for (uint32_t i = 0; i < model.cell_count; ++i)
    numbers.emplace(model.cells[i].name, i);
  constexpr int32_t missing = -2;
  placement.owners.assign(model.cell_count, missing);
  for (auto it = cells.begin(); it != cells.end(); ++it) {
    auto cell = numbers.find(it.key());
    if (cell == numbers.end())
      return "the model has no cell " + shortDump(Json(it.key()));
    uint32_t worker = 0;
    if (*it == "home")
      placement.owners[cell->second] = Placement::home;
    else if (takeNumber(*it, mostWorkers, worker))
      placement.owners[cell->second] = int32_t(worker);
    else
      return "cell " + shortDump(Json(it.key())) + " is placed on " +
             shortDump(*it) + "; expected a worker's number, or \"home\"";
  }
  for (uint32_t i = 0; i < model.cell_count; ++i)
    if (placement.owners[i] == missing)
      return "cell " + shortDump(Json(model.cells[i].name)) + " is missing";
  return "";
}

Expected<Placement> parsePlacement(const std::string &text,
                                   const std::string &name,
                                   const amprt_model_t &model) {
  Json json;
  Placement placement;
  std::string error = parseJson(text, json);
  if (error.empty())
    error = checkFormat(json, formatName, 1);
  const Json *of = error.empty() ? stringMember(json, "model") : nullptr;
  auto cells = error.empty() ? json.find("cells") : json.end();
  if (error.empty() && (!of || cells == json.end() || !cells->is_object()))
    error = "expected \"model\", a string, and \"cells\", an object";
  if (error.empty() && *of != model.name)
    return Status(StatusCode::failedPrecondition,
                  "'" + name + "' is a placement of another model: it is for " +
                      shortDump(*of) + ", this is '" + model.name + "'");
  if (error.empty())
    error = takeCells(*cells, model, placement);
  if (!error.empty())
    return Status(StatusCode::invalidArgument,
                  "'" + name + "' is no placement: " + error);
  return placement;
}

Expected<Placement> loadPlacement(const std::string &path,
                                  const amprt_model_t &model) {
  Expected<std::string> text = readText(path);
  if (!text)
    return text.status();
  return parsePlacement(*text, path, model);
}

Expected<Placement> choosePlacement(const amprt_model_t &model,
                                    const std::string &path,
                                    const PlaceOptions &options) {
  if (path.empty())
    return placeCells(model, estimateCosts(model), options);
  Expected<Placement> placement = loadPlacement(path, model);
  if (placement)
    if (Status status = checkPlacement(model, *placement, options);
        !status.ok())
      return status;
  return placement;
}

} // namespace amprt
