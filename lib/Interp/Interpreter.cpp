//===- Interpreter.cpp - The reference interpreter ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Interp/Interpreter.h"

#include "Execution.h"
#include "LargeStack.h"

#include "llvm/Support/raw_ostream.h"

using namespace amp;
using namespace amp::interp;
using amprt::Status;
using amprt::StatusCode;

Interpreter::Interpreter(std::unique_ptr<Program> program,
                         InterpreterOptions options)
    : program(std::move(program)), options(options) {}
Interpreter::~Interpreter() = default;

mlir::FailureOr<std::unique_ptr<Interpreter>>
Interpreter::create(mlir::ModuleOp module,
                    const std::map<std::string, amprt::Tensor> &parameters,
                    InterpreterOptions options, Role role) {
  std::unique_ptr<Program> program = Program::create(module, parameters, role);
  if (!program)
    return mlir::failure();
  return std::unique_ptr<Interpreter>(
      new Interpreter(std::move(program), options));
}

void Interpreter::setParameter(const std::string &name,
                               const amprt::Tensor &value) {
  program->setParameter(name, Array::fromTensor(value));
}

const Signature &Interpreter::signature() const { return program->signature(); }

/// As fields, index and i64 agree.
static bool is64BitInteger(amprt_dtype_t dtype) {
  return dtype == AMPRT_INDEX || dtype == AMPRT_I64;
}

/// The field's value in the instance.
static amprt::Expected<Token> readField(const NamedType &field,
                                        const amprt::Values &instance) {
  std::string type;
  llvm::raw_string_ostream(type) << field.type;
  auto found = instance.find(field.name);
  if (found == instance.end())
    return Status(StatusCode::invalidArgument,
                  "field '" + field.name + "' (" + type + ") is missing");
  Array value = Array::fromTensor(found->second);
  if (is64BitInteger(value.dtype()) &&
      is64BitInteger(*elementTypeOf(field.type)))
    value = Array(*elementTypeOf(field.type), value.dims(),
                  Integers(value.integers()));
  if (value.hasType(field.type))
    return Token(value);
  return Status(StatusCode::invalidArgument,
                "field '" + field.name + "' must be " + type + ", but is " +
                    value.typeString());
}

amprt::Expected<amprt::Values>
Interpreter::run(const amprt::Values &instance, Gradients *gradients) const {
  Tokens fields;
  for (const NamedType &field : signature().fields) {
    amprt::Expected<Token> token = readField(field, instance);
    if (!token)
      return token.status();
    fields.push_back(*token);
  }

  amprt::Values values;
  Status failure;
  Status status = runOnLargeStack(options.stackBytes, [&](const void *limit) {
    Execution execution(*program, options.stepLimit, options.depthLimit, limit);
    Tokens results = execution.runEntry(std::move(fields));
    failure = execution.status();
    if (execution.failed())
      return;
    for (auto [result, token] : llvm::zip_equal(signature().results, results))
      values[result.name] = token.array().toTensor();
    if (gradients)
      *gradients = execution.gradients();
  });
  if (!status.ok())
    return status;
  if (!failure.ok())
    return failure;
  return values;
}
