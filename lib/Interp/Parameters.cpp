//===- Parameters.cpp - The parameters from a file and the seed -----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"

#include "core/Initialise.h"
#include "core/Types.h"
#include "io/Safetensors.h"

#include <cstring>

using namespace amprt;

/// The parameter's elements in the file.
static Expected<Tensor> readParameter(const amprt_param_desc_t &param,
                                      const SafetensorsFile &file,
                                      const SafetensorsFile::Entry &entry) {
  auto dtype = amprt_dtype_t(param.type.dtype);
  Tensor tensor(dtype, entry.dims);
  if (entry.dtype != safetensorsDtype(dtype) || !hasType(tensor, param.type))
    return Status(StatusCode::invalidArgument,
                  "parameter '" + std::string(param.name) + "' must be " +
                      describeType(param.type) + ", but the file has " +
                      entry.dtype + ", " + describeTensor(tensor));
  if (entry.end != entry.begin)
    std::memcpy(tensor.data(), file.bytes.data() + entry.begin,
                entry.end - entry.begin);
  return tensor;
}

static Expected<Tensor> initialise(const amprt_param_desc_t &param,
                                   uint64_t seed) {
  if (param.type.rank > 0 && param.type.dims[0] == AMPRT_DYNAMIC)
    return Status(StatusCode::invalidArgument,
                  "parameter '" + std::string(param.name) + "' (" +
                      describeType(param.type) +
                      ") must be in the weights' file, which fixes its "
                      "number of rows");
  return initialParameter(param, seed);
}

Expected<std::map<std::string, Tensor>>
amp::interp::loadParameters(const std::vector<amprt_param_desc_t> &params,
                            const std::string &path, uint64_t seed) {
  SafetensorsFile file;
  if (!path.empty()) {
    Expected<SafetensorsFile> read = readSafetensors(path);
    if (!read)
      return read.status();
    file = std::move(*read);
  }
  std::map<std::string, Tensor> parameters;
  for (const amprt_param_desc_t &param : params) {
    const SafetensorsFile::Entry *entry = file.find(param.name);
    Expected<Tensor> tensor =
        entry ? readParameter(param, file, *entry) : initialise(param, seed);
    if (!tensor)
      return tensor.status();
    parameters.emplace(param.name, std::move(*tensor));
  }
  return parameters;
}
