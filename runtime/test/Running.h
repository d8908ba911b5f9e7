//===- Running.h - Sessions for tests ---------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TEST_RUNNING_H
#define AMPRT_TEST_RUNNING_H

#include "amprt/amprt.hpp"

#include <gtest/gtest.h>

#include "io/File.h"
#include "io/PlacementFile.h"
#include "io/PolicyFile.h"

#include <atomic>
#include <memory>
#include <ostream>
#include <unistd.h>
#include <vector>

inline std::string temporaryPath(const char *what) {
  static std::atomic<int> number{0};
  return testing::TempDir() + "amprt-" + what + "-" + std::to_string(getpid()) +
         "-" + std::to_string(number++);
}

/// A file with a policy for the model that picks at random, and knows only half
/// of the states.
inline std::string randomPolicyFile(const amprt_model_t &descriptor) {
  amprt::PolicyFile file;
  file.model = descriptor.name;
  file.table.encoding = amprt::StateEncoding::set;
  for (uint32_t i = 0; i < descriptor.cell_count; ++i)
    file.cells.push_back(descriptor.cells[i].name);
  uint32_t random = 12345;
  for (uint32_t set = 1; set < 1u << descriptor.cell_count; ++set) {
    amprt::StateKey key;
    for (uint32_t i = 0; i < descriptor.cell_count; ++i)
      if (set >> i & 1)
        key.push_back(char16_t(i));
    random = random * 1664525 + 1013904223;
    if (random >> 31)
      file.table.cells[key] = key[(random >> 16) % key.size()];
  }
  std::string path = temporaryPath("policy");
  amprt::Status status = amprt::writeFileAtomically(
      path, [&](amprt::OutputFile &to) { return to.write(policyText(file)); });
  EXPECT_TRUE(status.ok()) << status.message();
  return path;
}

/// A file that gives the model's cells to all workers in turn.
inline std::string scatteredPlacementFile(const amprt_model_t &descriptor,
                                          int workers) {
  amprt::Placement placement;
  for (uint32_t i = 0; i < descriptor.cell_count; ++i)
    placement.owners.push_back(int32_t((i + 1) % uint32_t(workers)));
  std::string path = temporaryPath("placement");
  amprt::Status status =
      amprt::writeFileAtomically(path, [&](amprt::OutputFile &to) {
        return to.write(placementText(descriptor, placement));
      });
  EXPECT_TRUE(status.ok()) << status.message();
  return path;
}

/// All policies; with learned, and with model placement, startSession makes a
/// file up.
inline const std::vector<amprt::Policy> allPolicies = {
    amprt::Policy::none,  amprt::Policy::depth,  amprt::Policy::agenda,
    amprt::Policy::phase, amprt::Policy::greedy, amprt::Policy::learned};

/// A session of a model with initialised weights; fails the test if there is
/// none.
inline std::unique_ptr<amprt::Session>
startSession(const amprt_model_t &descriptor,
             amprt::SessionOptions options = {}) {
  bool needsFile = options.policy == amprt::Policy::learned;
  if (needsFile && options.policyFile.empty())
    options.policyFile = randomPolicyFile(descriptor);
  else
    needsFile = false;
  bool isPlaced = options.placement == amprt::PlacementMode::model &&
                  options.placementFile.empty();
  if (isPlaced)
    options.placementFile = scatteredPlacementFile(descriptor, options.workers);
  auto model = amprt::Model::linked(descriptor);
  EXPECT_TRUE(model.ok());
  auto weights = amprt::Weights::load(*model, "", {});
  EXPECT_TRUE(weights.ok()) << weights.status().message();
  auto session = amprt::Session::create(*model, *weights, options);
  EXPECT_TRUE(session.ok()) << session.status().message();
  if (needsFile)
    ::unlink(options.policyFile.c_str());
  if (isPlaced)
    ::unlink(options.placementFile.c_str());
  return std::move(*session);
}

inline std::vector<amprt::Result> runAll(amprt::Session &session,
                                         std::vector<amprt::Values> instances) {
  std::vector<amprt::Result> results;
  for (std::future<amprt::Result> &future :
       session.submitAll(std::move(instances)))
    results.push_back(future.get());
  return results;
}

inline amprt::Result runOne(const amprt_model_t &descriptor,
                            amprt::Values instance,
                            const amprt::SessionOptions &options = {}) {
  return startSession(descriptor, options)->submit(std::move(instance)).get();
}

inline int64_t integer(const amprt::Result &result, const char *name,
                       int64_t index = 0) {
  EXPECT_TRUE(result.status.ok()) << result.status.message();
  auto found = result.values.find(name);
  if (found == result.values.end()) {
    ADD_FAILURE() << "no result " << name;
    return INT64_MIN;
  }
  return int64_t(found->second.at(index));
}

inline void expectStatus(const amprt::Status &status, amprt::StatusCode code,
                         const std::string &part) {
  EXPECT_EQ(int(status.code()), int(code)) << status.message();
  EXPECT_NE(status.message().find(part), std::string::npos)
      << "expected: " << part << "\nmessage:  " << status.message();
}

#define EXPECT_STATUS(status, expectedCode, part)                              \
  do {                                                                         \
    SCOPED_TRACE(#status);                                                     \
    expectStatus(status, expectedCode, part);                                  \
  } while (false)

/// Every way to run: results may depend on none of these.
struct Manner {
  amprt::Policy policy;
  int workers;
  int64_t maxInFlight, maxBatch;
  amprt::PlacementMode placement = amprt::PlacementMode::instance;

  amprt::SessionOptions options() const {
    amprt::SessionOptions options;
    options.policy = policy;
    options.workers = workers;
    options.maxInFlight = maxInFlight;
    options.maxBatch = maxBatch;
    options.placement = placement;
    return options;
  }
};

inline std::ostream &operator<<(std::ostream &out, const Manner &manner) {
  return out << policyName(manner.policy) << "_workers" << manner.workers
             << "_inFlight" << manner.maxInFlight << "_batch" << manner.maxBatch
             << (manner.placement == amprt::PlacementMode::model ? "_placed"
                                                                 : "");
}

inline std::vector<Manner> allManners() {
  std::vector<Manner> manners;
  for (amprt::Policy policy : allPolicies)
    for (int workers : {1, 2, 4})
      for (int64_t maxInFlight : {1, 7, 64})
        for (int64_t maxBatch : {3, 1024})
          manners.push_back({policy, workers, maxInFlight, maxBatch});
  // Where cells are does not depend on the policy; one with keys, one without.
  for (amprt::Policy policy : {amprt::Policy::depth, amprt::Policy::agenda})
    for (int workers : {1, 2, 4})
      for (int64_t maxInFlight : {1, 64})
        manners.push_back({policy, workers, maxInFlight, maxInFlight,
                           amprt::PlacementMode::model});
  return manners;
}

#endif // AMPRT_TEST_RUNNING_H
