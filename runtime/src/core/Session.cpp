//===- Session.cpp - Running instances of a model -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Counters.h"
#include "core/Marshal.h"
#include "core/Types.h"
#include "io/PolicyFile.h"
#include "sched/DeadlineTimer.h"
#include "sched/SessionState.h"
#include "sched/Worker.h"

#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace amprt {

class Session::Impl {
public:
  Impl(Model model, Weights weights, const SessionOptions &options)
      : state(std::move(model), std::move(weights), options),
        baseline(emptyStats(state.descriptor())) {}
  ~Impl();

  Status prepare();
  void start();
  Request makeRequest(Values instance, const SubmitOptions &options);
  Status check(const Request &request);
  Stats total() const;

  SessionState state;
  const std::shared_ptr<AttentionBell> bell = std::make_shared<AttentionBell>();
  DeadlineTimer timer{*bell};
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::thread> threads;
  mutable std::mutex statsMutex;
  Stats baseline; ///< What was counted before the last reset.
};

static Status checkOptions(const SessionOptions &options) {
  auto check = [](const char *name, int64_t value, int64_t most) -> Status {
    if (value >= 1 && value <= most)
      return {};
    return {StatusCode::invalidArgument,
            std::string(name) + " is " + std::to_string(value) +
                ", but must be at least 1 and at most " + std::to_string(most)};
  };
  for (Status status :
       {check("workers", options.workers, 1024),
        check("maxInFlight", options.maxInFlight, int64_t(1) << 32),
        check("maxBatch", options.maxBatch, int64_t(1) << 32),
        check("stepLimit", options.stepLimit, int64_t(1) << 62),
        check("memoryLimit", options.memoryLimit, int64_t(1) << 40)})
    if (!status.ok())
      return status;
  auto isPolicy = parsePolicy(policyName(options.policy));
  if (!isPolicy)
    return isPolicy.status();
  if (options.policy == Policy::learned && options.policyFile.empty())
    return {StatusCode::invalidArgument, "policy 'learned' needs a policyFile"};
  return {};
}

static void countResult(amprt_worker_t *worker, amprt_frame_t *frame,
                        uint32_t) {
  auto *host = static_cast<HostFrame *>(frame);
  if (--host->eventsLeft < 0)
    static_cast<Worker *>(worker)->fail(
        static_cast<Instance &>(*frame->instance), StatusCode::internal,
        "a result was delivered twice");
}

/// Whether the parameter is what the product expects as its right side.
static bool canMultiply(const amprt_linear_desc_t &linear,
                        const Tensor &tensor) {
  if (tensor.dtype() != AMPRT_F32 && tensor.dtype() != AMPRT_BF16 &&
      tensor.dtype() != AMPRT_F16)
    return false;
  const std::vector<int64_t> matrix = {linear.k, linear.n};
  const std::vector<int64_t> matrices = {linear.groups, linear.k, linear.n};
  return linear.groups >= 1 &&
         (tensor.dims() == matrices ||
          (linear.groups == 1 && tensor.dims() == matrix));
}

Status Session::Impl::prepare() {
  const amprt_model_t &model = state.descriptor();
  const std::vector<Tensor> &tensors = state.weights.tensors();
  if (tensors.size() != model.param_count)
    return {StatusCode::failedPrecondition,
            "these are the weights of another model: it has " +
                std::to_string(model.param_count) + " parameters, they are " +
                std::to_string(tensors.size())};
  for (uint32_t i = 0; i < model.param_count; ++i) {
    const Tensor &tensor = tensors[i];
    if (!hasType(tensor, model.params[i].type))
      return {StatusCode::failedPrecondition,
              "these are the weights of another model: parameter '" +
                  std::string(model.params[i].name) + "' must be " +
                  describeType(model.params[i].type) + ", but is " +
                  describeTensor(tensor)};
    state.params.push_back({const_cast<void *>(tensor.data()),
                            tensor.dims().empty() ? 1 : tensor.dims()[0]});
  }

  std::vector<LinearWeights> linears;
  for (uint32_t i = 0; i < model.linear_count; ++i) {
    const amprt_linear_desc_t &linear = model.linears[i];
    const Tensor *tensor =
        linear.param < tensors.size() ? &tensors[linear.param] : nullptr;
    if (!tensor || !canMultiply(linear, *tensor))
      return {
          StatusCode::failedPrecondition,
          "product " + std::to_string(i) +
              " of the model is not with a parameter of type tensor<" +
              (linear.groups > 1 ? std::to_string(linear.groups) + "x" : "") +
              std::to_string(linear.k) + "x" + std::to_string(linear.n) +
              "xf32>, or of bf16 or f16"};
    linears.push_back({tensor->data(), linear.k, linear.n,
                       int64_t(linear.groups), tensor->dtype()});
  }
  auto provider = createOneDnnProvider(linears);
  if (!provider)
    return provider.status();
  state.linears = std::move(*provider);
  auto panels = Panels::pack(model, tensors);
  if (!panels)
    return panels.status();
  state.panels = std::move(*panels);

  if (state.options.policy == Policy::learned) {
    Expected<PolicyTable> table =
        loadPolicyTable(state.options.policyFile, model);
    if (!table)
      return table.status();
    state.policyTable = std::make_unique<PolicyTable>(std::move(*table));
  }

  state.resultHandlers.assign(model.result_events, countResult);
  for (uint32_t i = 0; i < model.result_words; ++i)
    state.resultOffsets.push_back(
        uint32_t(sizeof(HostFrame) + i * sizeof(uint64_t)));
  state.resultSite = {state.resultHandlers.data(), state.resultOffsets.data()};
  return {};
}

void Session::Impl::start() {
  // Together they may open maxInFlight instances; a worker that could open none
  // is not made.
  int64_t inFlight = state.options.maxInFlight;
  int64_t count = state.options.workers;
  for (int64_t i = 0; i < count && i < inFlight; ++i)
    workers.push_back(std::make_unique<Worker>(
        state, int(i), size_t(inFlight / count + (i < inFlight % count))));
  bell->connect([this] {
    for (std::unique_ptr<Worker> &worker : workers)
      worker->lookUp();
  });
  for (std::unique_ptr<Worker> &worker : workers)
    threads.emplace_back([&worker = *worker] { worker.run(); });
}

Session::Impl::~Impl() {
  std::vector<Request> left = state.queue.stop();
  bell->ring();
  bell->connect(nullptr); // Who cancels later reaches nobody.
  for (std::thread &thread : threads)
    thread.join();
  for (Request &request : left)
    request.promise.set_value(
        {Status(StatusCode::cancelled, "the session ended before the instance "
                                       "was opened"),
         {},
         {}});
}

Stats Session::Impl::total() const {
  Stats stats = emptyStats(state.descriptor());
  for (const std::unique_ptr<Worker> &worker : workers)
    addTo(stats, worker->counters());
  return stats;
}

Session::Session() = default;
Session::~Session() = default;

Expected<std::unique_ptr<Session>>
Session::create(Model model, Weights weights, const SessionOptions &options) {
  if (Status status = checkOptions(options); !status.ok())
    return status;
  try {
    std::unique_ptr<Session> session(new Session);
    session->impl =
        std::make_unique<Impl>(std::move(model), std::move(weights), options);
    if (Status status = session->impl->prepare(); !status.ok())
      return status;
    session->impl->start();
    return session;
  } catch (const std::bad_alloc &) {
    return Status(StatusCode::resourceExhausted, "no memory for the session");
  } catch (const std::system_error &error) {
    return Status(StatusCode::resourceExhausted,
                  std::string("cannot start a worker: ") + error.what());
  }
}

static void refuse(std::promise<Result> &promise, Status status) {
  promise.set_value({std::move(status), {}, {}});
}

Request Session::Impl::makeRequest(Values instance,
                                   const SubmitOptions &options) {
  Request request;
  if (state.timesInstances())
    request.submitted = InstanceTimes::Clock::now();
  request.control = std::make_shared<SubmissionControl>(options.deadline, bell);
  request.values = std::move(instance);
  return request;
}

/// Whether the instance may be queued.
Status Session::Impl::check(const Request &request) {
  if (request.control->deadline != SubmissionControl::never && !timer.start())
    return {StatusCode::resourceExhausted,
            "the system has no thread to look after the deadline"};
  return checkFields(state.descriptor(), request.values);
}

Submission Session::submit(Values instance, const SubmitOptions &options) {
  Request request = impl->makeRequest(std::move(instance), options);
  Submission submission(request.promise.get_future(), request.control);
  Status status = impl->check(request);
  if (status.ok())
    status = impl->state.queue.push(request);
  if (!status.ok())
    refuse(request.promise, std::move(status));
  else if (options.deadline != SubmissionControl::never)
    impl->timer.add(options.deadline);
  return submission;
}

std::vector<Submission> Session::submitAll(std::vector<Values> instances,
                                           const SubmitOptions &options) {
  std::vector<Submission> submissions;
  std::vector<Request> requests;
  for (Values &instance : instances) {
    Request request = impl->makeRequest(std::move(instance), options);
    submissions.push_back(
        Submission(request.promise.get_future(), request.control));
    Status status = impl->check(request);
    if (status.ok())
      requests.push_back(std::move(request));
    else
      refuse(request.promise, std::move(status));
  }
  if (Status status = impl->state.queue.pushAll(requests); !status.ok())
    for (Request &request : requests)
      refuse(request.promise, status);
  else if (options.deadline != SubmissionControl::never)
    impl->timer.add(options.deadline);
  return submissions;
}

void Session::wait() { impl->state.queue.waitUntilAllEnded(); }

Stats Session::stats() const {
  Stats stats = impl->total();
  std::lock_guard<std::mutex> lock(impl->statsMutex);
  subtractFrom(stats, impl->baseline);
  for (const std::unique_ptr<Worker> &worker : impl->workers)
    stats.arenaBytes += worker->arenaBytes();
  return stats;
}

void Session::resetStats() {
  std::lock_guard<std::mutex> lock(impl->statsMutex);
  impl->baseline = impl->total();
  for (const std::unique_ptr<Worker> &worker : impl->workers)
    worker->resetPeak();
}

} // namespace amprt
