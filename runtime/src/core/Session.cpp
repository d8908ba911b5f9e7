//===- Session.cpp - Running instances of a model -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Counters.h"
#include "core/Engine.h"

#include <mutex>

namespace amprt {

class Session::Impl {
public:
  explicit Impl(std::unique_ptr<Engine> engine)
      : engine(std::move(engine)),
        baseline(emptyStats(this->engine->state.descriptor())) {}

  Request makeRequest(Values instance, const SubmitOptions &options);
  Status check(const Request &request, Entry entry);

  std::unique_ptr<Engine> engine;
  mutable std::mutex statsMutex;
  Stats baseline; ///< What was counted before the last reset.
};

Session::Session() = default;
Session::~Session() = default;

Expected<std::unique_ptr<Session>>
Session::create(Model model, Weights weights, const SessionOptions &options) {
  auto engine = Engine::create(std::move(model), std::move(weights), options,
                               /*training=*/{});
  if (!engine)
    return engine.status();
  std::unique_ptr<Session> session(new Session);
  session->impl = std::make_unique<Impl>(std::move(*engine));
  return session;
}

Request Session::Impl::makeRequest(Values instance,
                                   const SubmitOptions &options) {
  Request request =
      engine->makeRequest(engine->state.model.entry(options.entry), options);
  request.values = std::move(instance);
  return request;
}

Status Session::Impl::check(const Request &request, Entry entry) {
  if (!request.entry)
    return missingEntry(engine->state.descriptor(), entry);
  return engine->check(request);
}

Submission Session::submit(Values instance, const SubmitOptions &options) {
  Request request = impl->makeRequest(std::move(instance), options);
  Submission submission(request.promise->get_future(), request.control);
  Status status = impl->check(request, options.entry);
  if (status.ok())
    status = impl->engine->state.queue.push(request);
  if (!status.ok())
    refuse(request, std::move(status));
  else if (options.deadline != SubmissionControl::never)
    impl->engine->timer.add(options.deadline);
  return submission;
}

std::vector<Submission> Session::submitAll(std::vector<Values> instances,
                                           const SubmitOptions &options) {
  std::vector<Submission> submissions;
  std::vector<Request> requests;
  for (Values &instance : instances) {
    Request request = impl->makeRequest(std::move(instance), options);
    submissions.push_back(
        Submission(request.promise->get_future(), request.control));
    Status status = impl->check(request, options.entry);
    if (status.ok())
      requests.push_back(std::move(request));
    else
      refuse(request, std::move(status));
  }
  if (Status status = impl->engine->state.queue.pushAll(requests); !status.ok())
    for (Request &request : requests)
      refuse(request, status);
  else if (options.deadline != SubmissionControl::never)
    impl->engine->timer.add(options.deadline);
  return submissions;
}

Result Session::run(const Values &instance, const SubmitOptions &options) {
  Request request = impl->makeRequest({}, options);
  request.borrowed = &instance;
  std::future<Result> result = request.promise->get_future();
  bool hasDeadline = options.deadline != SubmissionControl::never;
  if (Status status = impl->check(request, options.entry); !status.ok()) {
    refuse(request, std::move(status));
  } else {
    if (hasDeadline)
      impl->engine->timer.add(options.deadline);
    impl->engine->run(std::move(request), result);
  }
  return result.get();
}

void Session::wait() { impl->engine->state.queue.waitUntilAllEnded(); }

Recording Session::recording() const { return impl->engine->recording(); }

Stats Session::stats() const {
  Stats stats = impl->engine->total();
  std::lock_guard<std::mutex> lock(impl->statsMutex);
  subtractFrom(stats, impl->baseline);
  stats.arenaBytes = impl->engine->arenaBytes();
  return stats;
}

void Session::resetStats() {
  std::lock_guard<std::mutex> lock(impl->statsMutex);
  impl->baseline = impl->engine->total();
  impl->engine->resetPeaks();
}

} // namespace amprt
