//===- Model.cpp - Compiled models ----------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amprt/amprt.hpp"

#include "core/Variants.h"
#include "sched/Abi.h"

#include <dlfcn.h>

#include <string>

namespace amprt {

/// The descriptor, or the one behind it that is for this processor.
static Expected<const amprt_model_t *>
checkDescriptor(const amprt_model_t &model) {
  // Nothing behind these two words may be read before they are known to fit.
  if (model.magic != AMPRT_ABI_MAGIC)
    return Status(StatusCode::failedPrecondition,
                  "not a model made by ampc: its magic number is " +
                      std::to_string(model.magic) + ", not " +
                      std::to_string(AMPRT_ABI_MAGIC));
  if (model.abi_version != AMPRT_ABI_VERSION)
    return Status(
        StatusCode::failedPrecondition,
        "the model was compiled for version " +
            std::to_string(model.abi_version) +
            " of the runtime's interface, but this runtime has version " +
            std::to_string(AMPRT_ABI_VERSION) +
            ": compile it again with the ampc of this runtime");
  if (!model.predict)
    return Status(StatusCode::failedPrecondition,
                  "not a model made by ampc: it has no entry");
  return selectVariant(model);
}

Expected<Model> Model::linked(const amprt_model_t &descriptor) {
  Expected<const amprt_model_t *> checked = checkDescriptor(descriptor);
  if (!checked)
    return checked.status();
  Model model;
  model.theDescriptor = *checked;
  return model;
}

const amprt_entry_t *Model::entry(Entry entry) const {
  switch (entry) {
  case Entry::predict:
    return theDescriptor->predict;
  case Entry::evaluate:
    return theDescriptor->evaluate;
  case Entry::train:
    return theDescriptor->train;
  }
  return nullptr;
}

Expected<Model> Model::load(const std::string &path) {
  // The library's undefined amprt_ functions are found in this program, so
  // they must be in it even if nothing else here calls them.
  if (!abiFunctionsArePresent())
    return Status(StatusCode::internal, "the runtime's functions are missing");

  void *opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened) {
    const char *reason = dlerror();
    return Status(StatusCode::notFound, "cannot load model '" + path +
                                            "': " + (reason ? reason : "?"));
  }
  std::shared_ptr<void> library(opened, [](void *handle) { dlclose(handle); });
  auto *descriptor =
      static_cast<const amprt_model_t *>(dlsym(opened, "amprt_model"));
  if (!descriptor)
    return Status(StatusCode::notFound,
                  "'" + path +
                      "' is not a model made by ampc --shared: it has "
                      "no symbol 'amprt_model'");
  Expected<const amprt_model_t *> checked = checkDescriptor(*descriptor);
  if (!checked)
    return Status(checked.status().code(),
                  "'" + path + "': " + checked.status().message());
  Model model;
  model.theDescriptor = *checked;
  model.library = std::move(library);
  return model;
}

} // namespace amprt
