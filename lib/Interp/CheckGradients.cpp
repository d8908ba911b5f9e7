//===- CheckGradients.cpp - Derivatives by differences ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Interp/CheckGradients.h"

#include "Array.h"
#include "Descriptors.h"
#include "Parameters.h"

#include "io/JsonLines.h"
#include "io/LineReader.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <random>

using namespace amp;
using namespace amp::interp;
using amprt::Expected;
using amprt::LineReader;
using amprt::Status;
using amprt::Values;

namespace {
class Checker {
public:
  Checker(Interpreter &interpreter,
          std::map<std::string, amprt::Tensor> parameters, int64_t samples,
          uint64_t seed)
      : interpreter(interpreter), parameters(std::move(parameters)),
        samples(samples), random(seed) {}

  Status check(const Values &instance);
  /// Prints what was found; whether all is well.
  bool report() const;

private:
  Expected<double> loss(const Values &instance);
  Expected<double> slope(const Values &instance, const std::string &name,
                         int64_t element);

  struct Worst {
    double error = 0, ours = 0, theirs = 0;
    int64_t element = -1, checked = 0, moving = 0;
  };
  Interpreter &interpreter;
  std::map<std::string, amprt::Tensor> parameters;
  int64_t samples;
  std::mt19937_64 random;
  std::map<std::string, Worst> worst;
};
} // namespace

static double lossOf(const Values &results) {
  return *reinterpret_cast<const double *>(results.begin()->second.data());
}

static double *numbersOf(amprt::Tensor &tensor) {
  return reinterpret_cast<double *>(tensor.data());
}

Expected<double> Checker::loss(const Values &instance) {
  Expected<Values> results = interpreter.run(instance);
  if (!results)
    return results.status();
  return lossOf(*results);
}

static double stepOf(double number) {
  return 5e-3 * std::max(0.1, std::abs(number));
}

/// By differences at four points: the error is of the fourth order.
Expected<double> Checker::slope(const Values &instance, const std::string &name,
                                int64_t element) {
  amprt::Tensor &tensor = parameters.at(name);
  double &number = numbersOf(tensor)[element];
  double old = number, step = stepOf(old);
  double values[4];
  constexpr int at[] = {-2, -1, 1, 2};
  for (int i = 0; i < 4; ++i) {
    number = old + at[i] * step;
    interpreter.setParameter(name, tensor);
    Expected<double> value = loss(instance);
    if (!value)
      return value.status();
    values[i] = *value;
  }
  number = old;
  interpreter.setParameter(name, tensor);
  return (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step);
}

Status Checker::check(const Values &instance) {
  Interpreter::Gradients gradients;
  Expected<Values> results = interpreter.run(instance, &gradients);
  if (!results)
    return results.status();
  for (auto &[name, tensor] : parameters) {
    Worst &mine = worst[name];
    int64_t size = tensor.byteCount() / sizeof(double);
    const std::vector<double> &ours = gradients[name];
    double greatest = 0;
    for (double value : ours)
      greatest = std::max(greatest, std::abs(value));
    // Half of the samples where the gradient is not zero, as with rarely used rows.
    std::vector<int64_t> elements, nonzero;
    for (int64_t i = 0; i < size; ++i) {
      if (samples == 0)
        elements.push_back(i);
      if (!ours.empty() && ours[i] != 0)
        nonzero.push_back(i);
    }
    for (int64_t i = 0; i < samples && size; ++i) {
      bool any = nonzero.empty() || i % 2;
      elements.push_back(any ? random() % size
                             : nonzero[random() % nonzero.size()]);
    }
    // A loss is known to some 1e-15 of itself only, and so are its differences.
    double base = std::abs(lossOf(*results));
    for (int64_t element : elements) {
      Expected<double> theirs = slope(instance, name, element);
      if (!theirs)
        return theirs.status();
      double value = ours.empty() ? 0 : ours[element];
      double scale = std::max({std::abs(value), std::abs(*theirs),
                               greatest * 1e-3, base * 1e-9 / stepOf(numbersOf(tensor)[element])});
      double error = std::abs(value - *theirs) / scale;
      ++mine.checked;
      mine.moving += value != 0;
      if (!(error <= mine.error)) // NaN is the worst of all
        mine.error = error, mine.element = element, mine.ours = value,
        mine.theirs = *theirs;
    }
  }
  return {};
}

bool Checker::report() const {
  constexpr double allowed = 1e-6;
  bool fine = true;
  for (const auto &[name, found] : worst) {
    bool good = found.error <= allowed;
    fine &= good;
    llvm::outs() << name << ": " << found.checked << " checked, "
                 << found.moving << " not zero, error "
                 << llvm::format("%.1e", found.error);
    if (!good)
      llvm::outs() << " at element " << found.element << ": "
                   << llvm::format("%.9g", found.ours) << ", but differences say "
                   << llvm::format("%.9g", found.theirs);
    llvm::outs() << "\n";
  }
  return fine;
}

/// The tensor with f64 elements.
static amprt::Tensor widened(const amprt::Tensor &tensor) {
  Array array = Array::fromTensor(tensor);
  return Array(AMPRT_F64, array.dims(), Floats(array.floats())).toTensor();
}

int amp::checkGradients(mlir::ModuleOp module, const InterpretOptions &options,
                        int64_t samples) {
  auto refuse = [](const Status &status) {
    llvm::WithColor::error() << status.message() << "\n";
    return 2;
  };
  mlir::FailureOr<Signature> signature = readSignature(module, Role::train);
  if (failed(signature))
    return 2;
  Descriptors descriptors(module, *signature);
  // A weights' file has f32.
  std::vector<amprt_param_desc_t> narrow = descriptors.params;
  for (amprt_param_desc_t &param : narrow)
    param.type.dtype = AMPRT_F32;
  auto loaded = loadParameters(narrow, options.weightsPath, options.seed);
  if (!loaded)
    return refuse(loaded.status());
  for (auto &[_, tensor] : *loaded)
    tensor = widened(tensor);
  auto interpreter = Interpreter::create(module, *loaded, options.interpreter,
                                         Role::train);
  if (failed(interpreter))
    return 2;
  Expected<LineReader> input = LineReader::open(options.inputPath);
  if (!input)
    return refuse(input.status());
  amprt::InstanceParser parser(descriptors.fields.data(),
                               descriptors.fields.size());
  Checker checker(**interpreter, *loaded, samples, options.seed);
  bool failed = false;
  for (int64_t done = 0; options.limit < 0 || done < options.limit;) {
    LineReader::Event event = input->next();
    if (event == LineReader::Event::end)
      break;
    if (llvm::StringRef(input->line()).trim().empty())
      continue;
    ++done;
    Expected<Values> instance = parser.parse(input->line());
    Status status = instance ? checker.check(*instance) : instance.status();
    if (status.ok())
      continue;
    llvm::WithColor::error() << "line " << input->lineNumber() << ": "
                             << status.message() << "\n";
    failed = true;
  }
  if (!input->status().ok())
    return refuse(input->status());
  return checker.report() && !failed ? 0 : 1;
}
