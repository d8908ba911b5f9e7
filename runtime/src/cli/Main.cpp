//===- Main.cpp - main() of a compiled model ------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include <cstdio>
#include <exception>
#include <new>

/// The model that this program was linked with; ampc makes it.
extern "C" const amprt_model_t amprt_model;

using namespace amprt;
using namespace amprt::cli;

static int dispatch(const Options &options, const Model &model) {
  switch (options.command) {
  case Command::run:
    return runCommand(options, model);
  case Command::train:
    return trainCommand(options, model);
  case Command::bench:
    return options.benchTrain ? benchTrainCommand(options, model)
                              : benchCommand(options, model);
  case Command::serve:
    return serveCommand(options, model);
  case Command::info:
    return infoCommand(options, model);
  }
  return exitUnusable;
}

int main(int argc, char **argv) {
  try {
    Expected<Model> model = Model::linked(amprt_model);
    if (!model) {
      std::fprintf(stderr, "%s: %s\n", argc > 0 ? argv[0] : "model",
                   model.status().message().c_str());
      return exitUnusable;
    }
    Options options;
    if (std::optional<int> status =
            parseOptions(argc, argv, model->descriptor(), options))
      return *status;
    return dispatch(options, *model);
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "%s: out of memory\n", argc > 0 ? argv[0] : "model");
  } catch (const std::exception &error) { // From a library below.
    std::fprintf(stderr, "%s: %s\n", argc > 0 ? argv[0] : "model",
                 error.what());
  }
  return exitUnusable;
}
