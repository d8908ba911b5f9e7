//===- GraphRecorder.cpp - Which activations need which -------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphRecorder.h"

#include <algorithm>
#include <numeric>

namespace amprt::cli {

// Runs without news after which no more is expected; some of them are with
// numbers at random.
static constexpr int quietRuns = 8;
static constexpr int randomEvery = 4;
static constexpr int mostRuns = 4096;

// Ancestors are a bit for each pair of activations.
static constexpr size_t mostReduced = size_t(1) << 15;

Expected<std::unique_ptr<GraphRecorder>>
GraphRecorder::create(const Model &model, const Weights &weights,
                      const SessionOptions &options) {
  std::unique_ptr<GraphRecorder> recorder(new GraphRecorder);
  SessionOptions own;
  own.stepLimit = options.stepLimit;
  own.memoryLimit = options.memoryLimit;
  own.maxBatch = options.maxBatch;
  // Instances that come together and never wait, and a policy that looks at no
  // depth: all runs take the same steps.
  own.workers = 1;
  own.maxInFlight = int64_t(1) << 32;
  own.policy = Policy::greedy;
  own.placement = PlacementMode::instance;
  own.probe = recorder.get();
  Expected<std::unique_ptr<Session>> session =
      Session::create(model, weights, own);
  if (!session)
    return session.status();
  recorder->session = std::move(*session);
  return recorder;
}

uint32_t GraphRecorder::onReady(const ReadyEvent &event) {
  uint64_t instance = event.instance - firstNumber;
  uint32_t depth = event.depth - 1;
  auto self = static_cast<uint32_t>(readyCount++);
  if (self == nodes.size() && numbered.empty()) {
    nodes.push_back({instance, event.cell, {}});
    numbers.push_back(self + 1);
  }
  if (self >= nodes.size() || nodes[self].instance != instance ||
      nodes[self].cell != event.cell || depth > nodes.size()) {
    differs = true;
    return 0;
  }
  if (depth != 0) {
    uint32_t input = numbered.empty() ? depth - 1 : numbered[depth - 1];
    if (input >= self || nodes[input].instance != instance)
      differs = true;
    else if (known.insert(uint64_t(self) << 32 | input).second) {
      nodes[self].inputs.push_back(input);
      nodes[input].lastNews = runCount;
      ++found;
    }
  }
  return numbers[self];
}

/// After round 0, in which numbers follow the order.
void GraphRecorder::renumber(int round) {
  numbered.resize(nodes.size());
  std::iota(numbered.begin(), numbered.end(), 0);
  if (round == 0)
    std::reverse(numbered.begin(), numbered.end());
  else
    std::shuffle(numbered.begin(), numbered.end(), random);
  // What has shown nothing new for longest gets the greatest number.
  if (round % randomEvery != 0)
    std::stable_sort(numbered.begin(), numbered.end(),
                     [this](uint32_t a, uint32_t b) {
                       return nodes[a].lastNews > nodes[b].lastNews;
                     });
  for (size_t i = 0; i < numbered.size(); ++i)
    numbers[numbered[i]] = static_cast<uint32_t>(i) + 1;
}

Status GraphRecorder::run(const std::vector<Values> &instances) {
  ++runCount;
  readyCount = 0;
  found = 0;
  firstNumber = submitted;
  submitted += instances.size();
  std::vector<Submission> submissions = session->submitAll(instances);
  session->wait();
  for (Submission &submission : submissions)
    if (Result result = submission.get(); !result.status.ok())
      return result.status;
  if (differs || readyCount != nodes.size())
    return Status(StatusCode::internal,
                  "an instance took other steps when it was run again, so what "
                  "it does cannot be recorded");
  return {};
}

Expected<std::vector<RecordedInstance>>
GraphRecorder::record(const std::vector<Values> &instances) {
  nodes.clear();
  numbers.clear();
  numbered.clear();
  known.clear();
  int quiet = 0;
  for (int round = 0; round < mostRuns && quiet < quietRuns; ++round) {
    if (Status status = run(instances); !status.ok())
      return status;
    quiet = found == 0 ? quiet + 1 : 0;
    renumber(round);
  }
  return graphs(instances.size());
}

std::vector<RecordedInstance> GraphRecorder::graphs(size_t count) const {
  std::vector<RecordedInstance> graphs(count);
  std::vector<uint32_t> place(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    RecordedInstance &graph = graphs[nodes[i].instance];
    place[i] = static_cast<uint32_t>(graph.size());
    graph.push_back({nodes[i].cell, {}});
    for (uint32_t input : nodes[i].inputs)
      graph.back().inputs.push_back(place[input]);
  }
  for (RecordedInstance &graph : graphs)
    reduce(graph);
  return graphs;
}

void reduce(RecordedInstance &instance) {
  size_t words = instance.size() / 64 + 1;
  bool canReduce = instance.size() <= mostReduced;
  std::vector<uint64_t> ancestors(canReduce ? instance.size() * words : 0);
  for (size_t i = 0; i < instance.size(); ++i) {
    // An input cannot need one that came after it.
    std::vector<uint32_t> &inputs = instance[i].inputs;
    std::sort(inputs.begin(), inputs.end(), std::greater<>());
    if (!canReduce)
      continue;
    uint64_t *mine = ancestors.data() + i * words;
    auto isImplied = [&](uint32_t input) {
      if (mine[input / 64] >> (input % 64) & 1)
        return true;
      const uint64_t *theirs = ancestors.data() + input * words;
      for (size_t word = 0; word < words; ++word)
        mine[word] |= theirs[word];
      mine[input / 64] |= uint64_t(1) << (input % 64);
      return false;
    };
    std::vector<uint32_t> kept;
    for (uint32_t input : inputs)
      if (!isImplied(input))
        kept.push_back(input);
    inputs = std::move(kept);
  }
}

} // namespace amprt::cli
