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

#include <memory>
#include <ostream>
#include <vector>

/// A session of a model with initialised weights; fails the test if there is
/// none.
inline std::unique_ptr<amprt::Session>
startSession(const amprt_model_t &descriptor,
             const amprt::SessionOptions &options = {}) {
  auto model = amprt::Model::linked(descriptor);
  EXPECT_TRUE(model.ok());
  auto weights = amprt::Weights::load(*model, "", {});
  EXPECT_TRUE(weights.ok()) << weights.status().message();
  auto session = amprt::Session::create(*model, *weights, options);
  EXPECT_TRUE(session.ok()) << session.status().message();
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

  amprt::SessionOptions options() const {
    amprt::SessionOptions options;
    options.policy = policy;
    options.workers = workers;
    options.maxInFlight = maxInFlight;
    options.maxBatch = maxBatch;
    return options;
  }
};

inline std::ostream &operator<<(std::ostream &out, const Manner &manner) {
  return out << policyName(manner.policy) << "_workers" << manner.workers
             << "_inFlight" << manner.maxInFlight << "_batch"
             << manner.maxBatch;
}

inline std::vector<Manner> allManners() {
  std::vector<Manner> manners;
  for (amprt::Policy policy :
       {amprt::Policy::none, amprt::Policy::depth, amprt::Policy::agenda})
    for (int workers : {1, 2, 4})
      for (int64_t maxInFlight : {1, 7, 64})
        for (int64_t maxBatch : {3, 1024})
          manners.push_back({policy, workers, maxInFlight, maxBatch});
  return manners;
}

#endif // AMPRT_TEST_RUNNING_H
