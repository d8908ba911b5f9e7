//===- Weights.cpp - The parameters of a model ----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/WeightsData.h"

#include "core/Initialise.h"
#include "core/Types.h"
#include "io/Safetensors.h"

#include <cstring>
#include <set>

namespace amprt {

static Status mismatch(const std::string &path, const amprt_param_desc_t &param,
                       const std::string &got) {
  return {StatusCode::invalidArgument,
          "'" + path + "': parameter '" + param.name + "' must be " +
              describeType(param.type) + " (" +
              safetensorsDtype(amprt_dtype_t(param.type.dtype)) +
              "), but the file has " + got};
}

static Expected<Tensor> fromFile(const SafetensorsFile &file,
                                 const SafetensorsFile::Entry &entry,
                                 const amprt_param_desc_t &param,
                                 const std::string &path) {
  auto dtype = amprt_dtype_t(param.type.dtype);
  std::string got = entry.dtype + " [";
  for (size_t i = 0; i < entry.dims.size(); ++i)
    got += (i ? ", " : "") + std::to_string(entry.dims[i]);
  got += "]";

  size_t bytes;
  if (entry.dtype != safetensorsDtype(dtype) ||
      !byteSize(entry.dims.data(), entry.dims.size(), elementBytes(dtype),
                bytes) ||
      bytes != entry.end - entry.begin)
    return mismatch(path, param, got);
  Tensor tensor(dtype, entry.dims);
  if (!hasType(tensor, param.type))
    return mismatch(path, param, got);
  if (bytes) // An empty tensor may have no address to copy to.
    std::memcpy(tensor.data(), file.bytes.data() + entry.begin, bytes);
  return tensor;
}

static bool hasOpenRows(const amprt_type_t &type) {
  return type.rank > 0 && type.dims[0] == AMPRT_DYNAMIC;
}

Expected<Weights> Weights::load(const Model &model, const std::string &path,
                                const WeightsOptions &options) {
  SafetensorsFile file;
  if (!path.empty()) {
    Expected<SafetensorsFile> read = readSafetensors(path);
    if (!read)
      return read.status();
    file = std::move(*read);
  }

  const amprt_model_t &descriptor = model.descriptor();
  auto loaded = std::make_shared<Data>();
  std::set<std::string> known;
  for (uint32_t i = 0; i < descriptor.param_count; ++i) {
    const amprt_param_desc_t &param = descriptor.params[i];
    known.insert(param.name);
    loaded->names.push_back(param.name);
    if (const SafetensorsFile::Entry *entry = file.find(param.name)) {
      Expected<Tensor> tensor = fromFile(file, *entry, param, path);
      if (!tensor)
        return tensor.status();
      loaded->tensors.push_back(std::move(*tensor));
      continue;
    }
    if (hasOpenRows(param.type))
      return Status(StatusCode::invalidArgument,
                    "parameter '" + std::string(param.name) + "' (" +
                        describeType(param.type) +
                        ") must be in the weights' file, which fixes its "
                        "number of rows");
    Expected<Tensor> tensor = initialParameter(param, options.seed);
    if (!tensor)
      return tensor.status();
    loaded->tensors.push_back(std::move(*tensor));
    loaded->initialised.push_back(param.name);
  }
  for (const SafetensorsFile::Entry &entry : file.entries)
    if (!known.count(entry.name))
      loaded->unused.push_back(entry.name);

  Weights weights;
  weights.data = std::move(loaded);
  return weights;
}

Status Weights::save(const std::string &path) const {
  std::vector<NamedTensor> tensors;
  for (size_t i = 0; i < data->tensors.size(); ++i)
    tensors.push_back({data->names[i], &data->tensors[i]});
  return writeSafetensors(path, tensors);
}

const std::vector<Tensor> &Weights::tensors() const { return data->tensors; }

const std::vector<std::string> &Weights::initialised() const {
  return data->initialised;
}

const std::vector<std::string> &Weights::unused() const { return data->unused; }

} // namespace amprt
