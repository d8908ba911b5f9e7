//===- Info.cpp - The command info: what a model is -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Console.h"
#include "Report.h"
#include "core/Types.h"
#include "io/File.h"
#include "io/PlacementFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace amprt::cli {

using Json = nlohmann::ordered_json;

/// As amp.param spells it: "normal, 0, 0.1".
static std::string initialiserText(const amprt_param_desc_t &param) {
  switch (static_cast<amprt_init_t>(param.init)) {
  case AMPRT_INIT_ZEROS:
    return "zeros";
  case AMPRT_INIT_CONSTANT:
    return fmt::format("constant {}", param.a);
  case AMPRT_INIT_UNIFORM:
    return fmt::format("uniform in [{}, {})", param.a, param.b);
  case AMPRT_INIT_NORMAL:
    return fmt::format("normal, mean {}, deviation {}", param.a, param.b);
  case AMPRT_INIT_GLOROT:
    return "glorot";
  }
  return "?";
}

static bool hasOpenRows(const amprt_type_t &type) {
  return type.rank > 0 && type.dims[0] == AMPRT_DYNAMIC;
}

/// Of all, or of one row where the file decides how many there are.
static int64_t elementCount(const amprt_type_t &type) {
  int64_t count = 1;
  for (int32_t i = hasOpenRows(type); i < type.rank; ++i)
    count *= type.dims[i];
  return count;
}

static double byteCount(const amprt_type_t &type) {
  return static_cast<double>(elementCount(type)) *
         static_cast<double>(
             elementBytes(static_cast<amprt_dtype_t>(type.dtype)));
}

static Json fieldsJson(const amprt_field_t *fields, uint32_t count) {
  Json json = Json::array();
  for (uint32_t i = 0; i < count; ++i)
    json.push_back(
        {{"name", fields[i].name}, {"type", describeType(fields[i].type)}});
  return json;
}

/// The result that is the loss, or "".
static std::string lossOf(const amprt_entry_t &entry) {
  return entry.loss < entry.result_count ? entry.results[entry.loss].name : "";
}

static Json entryJson(const amprt_entry_t *entry) {
  if (!entry)
    return nullptr;
  Json json = {{"fields", fieldsJson(entry->fields, entry->field_count)},
               {"results", fieldsJson(entry->results, entry->result_count)}};
  std::string loss = lossOf(*entry);
  json["loss"] = loss.empty() ? Json() : Json(loss);
  return json;
}

static std::string ownerText(int32_t owner) {
  return owner == Placement::home ? "home" : std::to_string(owner);
}

/// Names of the parameters that a cell uses.
static std::vector<std::string> paramsOf(const amprt_model_t &model,
                                         const amprt_cell_desc_t &cell) {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < cell.param_count; ++i)
    names.push_back(model.params[cell.params[i]].name);
  return names;
}

static std::string infoJson(const amprt_model_t &model,
                            const Placement *placement) {
  const amprt_entry_t &entry = *model.predict;
  Json json;
  json["name"] = model.name;
  json["target"] = model.target;
  json["abi_version"] = model.abi_version;
  json["fields"] = fieldsJson(entry.fields, entry.field_count);
  json["results"] = fieldsJson(entry.results, entry.result_count);
  json["entries"] = {{"predict", entryJson(model.predict)},
                     {"evaluate", entryJson(model.evaluate)},
                     {"train", entryJson(model.train)}};
  json["parameters"] = Json::array();
  for (uint32_t i = 0; i < model.param_count; ++i) {
    const amprt_param_desc_t &param = model.params[i];
    Json each = {{"name", param.name},
                 {"type", describeType(param.type)},
                 {"initialiser", initialiserText(param)}};
    bool open = hasOpenRows(param.type);
    each[open ? "elements_per_row" : "elements"] = elementCount(param.type);
    each[open ? "bytes_per_row" : "bytes"] =
        static_cast<int64_t>(byteCount(param.type));
    json["parameters"].push_back(std::move(each));
  }
  json["cells"] = Json::array();
  for (uint32_t i = 0; i < model.cell_count; ++i) {
    const amprt_cell_desc_t &cell = model.cells[i];
    json["cells"].push_back(
        {{"name", cell.name},
         {"where", cell.where},
         {"summary", cell.summary},
         {"priority", cell.priority},
         {"has_product", (cell.flags & AMPRT_CELL_HAS_PRODUCT) != 0},
         {"backward", (cell.flags & AMPRT_CELL_BACKWARD) != 0},
         {"work", cell.work},
         {"parameters", paramsOf(model, cell)}});
    if (placement)
      json["cells"].back()["owner"] = ownerText(placement->owners[i]);
  }
  return dumpJson(json) + "\n";
}

using Rows = std::vector<std::vector<std::string>>;

static std::string section(const char *title, Rows rows, size_t left) {
  for (std::vector<std::string> &row : rows)
    row.front().insert(0, "  ");
  return fmt::format("\n{}\n{}", title,
                     rows.empty() ? "  none\n" : table(rows, left));
}

static std::string fieldsText(const char *title, const amprt_field_t *fields,
                              uint32_t count) {
  Rows rows;
  for (uint32_t i = 0; i < count; ++i)
    rows.push_back({fields[i].name, describeType(fields[i].type)});
  return section(title, rows, 2);
}

/// What the model can do beside predicting.
static std::string trainingText(const amprt_model_t &model) {
  const amprt_entry_t *entry = model.evaluate ? model.evaluate : model.train;
  if (!entry)
    return "\ncompiled without --train: it can neither compute a loss nor be "
           "trained\n";
  std::string text = fmt::format(
      "\nloss: {}; entries: predict{}{}\n",
      lossOf(*entry).empty() ? "none" : lossOf(*entry),
      model.evaluate ? ", evaluate" : "", model.train ? ", train" : "");
  text += fieldsText("fields to evaluate or train", entry->fields,
                     entry->field_count);
  return text +
         fieldsText("results of evaluate", entry->results, entry->result_count);
}

static std::string ownersText(const amprt_model_t &model,
                              const Placement &placement) {
  Rows rows;
  for (uint32_t i = 0; i < model.cell_count; ++i) {
    const amprt_cell_desc_t &cell = model.cells[i];
    rows.push_back({cell.name, ownerText(placement.owners[i]),
                    grouped(static_cast<double>(cell.work)),
                    fmt::format("{}", fmt::join(paramsOf(model, cell), ", "))});
  }
  return section("owners of cells, their operations and parameters", rows, 2);
}

static std::string infoText(const amprt_model_t &model,
                            const Placement *placement) {
  const amprt_entry_t &entry = *model.predict;
  std::string text = fmt::format("{} for {}, runtime ABI {}\n", model.name,
                                 model.target, model.abi_version);
  text += fieldsText("fields of an instance", entry.fields, entry.field_count);
  text += fieldsText("results", entry.results, entry.result_count);
  text += trainingText(model);
  Rows rows;
  double total = 0;
  bool open = false;
  for (uint32_t i = 0; i < model.param_count; ++i) {
    const amprt_param_desc_t &param = model.params[i];
    bool openRows = hasOpenRows(param.type);
    open |= openRows;
    total += openRows ? 0 : byteCount(param.type);
    rows.push_back(
        {param.name, describeType(param.type), initialiserText(param),
         bytesText(byteCount(param.type)) + (openRows ? " a row" : "")});
  }
  text += section("parameters", rows, 3);
  if (model.param_count != 0)
    text += fmt::format("  {} in all{}\n", bytesText(total),
                        open ? ", and those with open rows" : "");
  rows.clear();
  for (uint32_t i = 0; i < model.cell_count; ++i)
    rows.push_back(
        {model.cells[i].name, model.cells[i].where, model.cells[i].summary});
  text += section("cells", rows, 3);
  return placement ? text + ownersText(model, *placement) : text;
}

int infoCommand(const Options &options, const Model &model) {
  const amprt_model_t &descriptor = model.descriptor();
  std::optional<Placement> placement;
  if (options.placedWorkers > 0) {
    Expected<Placement> made =
        choosePlacement(descriptor, options.session.placementFile,
                        {options.placedWorkers, options.benchTrain});
    if (!made) {
      Console(options).error(made.status().message());
      return exitUnusable;
    }
    placement = std::move(*made);
  }
  const Placement *shown = placement ? &*placement : nullptr;
  Expected<OutputFile> output = OutputFile::create("-");
  Status status =
      output ? output->write(options.json ? infoJson(descriptor, shown)
                                          : infoText(descriptor, shown))
             : output.status();
  if (status.ok())
    status = output->close();
  if (status.ok())
    return exitOk;
  Console(options).error(status.message());
  return exitUnusable;
}

} // namespace amprt::cli
