//===- Main.cpp - amp-learn-policy ----------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/File.h"
#include "io/PolicyFile.h"
#include "learn/Learner.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <map>

using namespace amprt;
using namespace amprt::learn;

namespace {
struct Options {
  std::string graph, output;
  std::string encoding = "best";
  LearnerOptions learner;
};
} // namespace

/// An exit status, or -1 to go on.
static int parse(int argc, char **argv, Options &options) {
  LearnerOptions &learner = options.learner;
  constexpr int64_t many = int64_t(1) << 32;
  CLI::App app("Learns which cell to run in which state from what a compiled "
               "model's `bench --record-graph` wrote",
               "amp-learn-policy");
  app.add_option("graph", options.graph, "what was recorded")
      ->required()
      ->type_name("FILE");
  app.add_option("-o,--output", options.output,
                 "file for the policy; without it, policies are only compared")
      ->type_name("FILE");
  app.add_option("--max-in-flight", learner.limits.maxInFlight,
                 "instances that are open at once in a worker")
      ->check(CLI::Range(int64_t(1), many).description(""))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--max-batch", learner.limits.maxBatch,
                 "activations that run together at most")
      ->check(CLI::Range(int64_t(1), many).description(""))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--encoding", options.encoding,
                 "what a state tells of the ready cells: set, largest, sorted, "
                 "or the best of them")
      ->check(
          CLI::IsMember({"set", "largest", "sorted", "best"}).description(""))
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--episodes", learner.episodes,
                 "runs to learn from, for each encoding")
      ->check(CLI::Range(0, 1'000'000).description(""))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--trials", learner.trials,
                 "runs to improve single states of the best table with")
      ->check(CLI::Range(0, 1'000'000).description(""))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--seed", learner.seed, "for all that is random")
      ->type_name("N")
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error);
    fmt::print(stderr,
               "amp-learn-policy: {}\namp-learn-policy: --help lists options\n",
               error.what());
    return 2;
  }
  for (StateEncoding encoding :
       {StateEncoding::set, StateEncoding::largest, StateEncoding::sorted})
    if (options.encoding == encodingName(encoding))
      learner.encoding = encoding;
  return -1;
}

static int64_t boundOf(const Plan &plan, const Limits &limits) {
  LowerBound bound = plan.bound(limits.maxInFlight, limits.maxBatch);
  int64_t total = 0;
  for (size_t cell = 0; cell < plan.cellCount(); ++cell)
    total += bound.ofCell(cell, plan.activations()[cell]);
  return total;
}

static Status save(const Options &options, const Plan &plan,
                   const Learned &learned, int64_t bound) {
  PolicyFile file;
  file.model = plan.name();
  for (uint32_t i = 0; i < plan.model().cell_count; ++i)
    file.cells.push_back(plan.model().cells[i].name);
  file.table = learned.table;
  const Limits &limits = options.learner.limits;
  file.training = {{"instances", double(plan.instances().size())},
                   {"max_in_flight", double(limits.maxInFlight)},
                   {"max_batch", double(limits.maxBatch)},
                   {"batches", double(learned.batches)},
                   {"batches_lower_bound", double(bound)}};
  return writeFileAtomically(options.output, [&](OutputFile &to) {
    return to.write(policyText(file));
  });
}

static int refuse(const Status &status) {
  fmt::print(stderr, "amp-learn-policy: {}\n", status.message());
  return 2;
}

static int run(const Options &options) {
  Expected<RecordedRun> recorded = readGraphFile(options.graph);
  if (!recorded)
    return refuse(recorded.status());
  if (recorded->cells.size() > mostEncodedCells)
    return refuse({StatusCode::invalidArgument, "there are too many cells"});
  Plan plan(*recorded);
  const Limits &limits = options.learner.limits;
  int64_t bound = boundOf(plan, limits);
  fmt::print("{}: {} instances, {} in flight, batches of {} at most\n"
             "lower bound  {:>9} batches\n",
             plan.name(), plan.instances().size(), limits.maxInFlight,
             limits.maxBatch, bound);
  auto report = [&](const char *name, int64_t batches) {
    fmt::print("{:<12} {:>9} batches, {:.3f} times the bound\n", name, batches,
               double(batches) / double(bound));
    std::fflush(stdout);
  };
  for (Policy policy : {Policy::none, Policy::depth, Policy::agenda,
                        Policy::phase, Policy::greedy})
    report(policyName(policy), simulate(plan, limits, policy));
  if (options.output.empty())
    return 0;
  Learned learned = learnPolicy(plan, options.learner);
  report("learned", learned.batches);
  fmt::print("{} states, encoding {}, patience {}\n",
             learned.table.cells.size(), encodingName(learned.table.encoding),
             learned.table.patience);
  Status status = save(options, plan, learned, bound);
  return status.ok() ? 0 : refuse(status);
}

int main(int argc, char **argv) {
  try {
    Options options;
    int status = parse(argc, argv, options);
    return status >= 0 ? status : run(options);
  } catch (const std::exception &error) { // Out of memory, or a library below.
    fmt::print(stderr, "amp-learn-policy: {}\n", error.what());
    return 2;
  }
}
