//===- Loading.h - What run and bench have in common ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_LOADING_H
#define AMPRT_SRC_CLI_LOADING_H

#include "Console.h"
#include "Options.h"
#include "io/JsonLines.h"
#include "io/LineReader.h"

#include <cstdint>
#include <memory>
#include <string>

namespace amprt::cli {

/// Loads the weights, and says what was initialised and what is not used.
/// With --strict and a file, neither may be.
Expected<Weights> loadWeights(const Options &options, const Model &model,
                              Console &console);

/// The entry that --evaluate, or its absence, asks for.
/// Statuses: failedPrecondition (compiled without --train).
Expected<const amprt_entry_t *> chosenEntry(const Options &options,
                                            const Model &model);

/// Whether no file to write is one that is read, or written twice: opening it
/// would destroy it. Statuses: invalidArgument, with the options' names.
Status checkOutputs(const Options &options);

/// The instances of the input: after --skip, up to --limit. Lines without
/// anything but blanks are no instances.
class InstanceSource {
public:
  /// `wake`: see LineReader.
  static Expected<std::unique_ptr<InstanceSource>> open(const Options &options,
                                                        const Model &model,
                                                        Console &console,
                                                        int wake = -1);

  enum class Event {
    instance, ///< instance() has it, or its error.
    end,      ///< No more.
    failed,   ///< The input cannot be read further: status().
    stopped,  ///< The wake descriptor became readable.
  };
  Event next();

  /// To be moved from.
  Expected<Values> &instance() { return current; }
  const LineReader &reader() const { return lines; }
  const Status &status() const { return lines.status(); }

private:
  InstanceSource(LineReader reader, InstanceParser theParser,
                 const Options &options, Console &theConsole);

  LineReader lines;
  InstanceParser parser;
  Console &console;
  int64_t skip, limit;
  size_t unknownTold = 0;
  Expected<Values> current = Values();
};

/// Instances in memory.
struct Dataset {
  std::vector<Values> instances;
  std::vector<uint64_t> lines; ///< Of the file, for each instance.
  uint64_t checksum = 0;       ///< Of those lines.
};

/// Reads all instances of the input. An exit status; unless it is exitOk, why
/// has been printed. `wake`: see LineReader; then what was read is what counts.
int readDataset(const Options &options, const Model &model, Console &console,
                Dataset &data, int wake = -1);

/// Adds what --record and --replay ask for. Statuses: as Recording::load.
Status prepareRecording(const Options &options, SessionOptions &session);

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_LOADING_H
