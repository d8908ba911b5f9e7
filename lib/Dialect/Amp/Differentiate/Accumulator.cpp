//===- Accumulator.cpp - Sums of gradients in one body --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accumulator.h"

#include "ListGradients.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace amp;

void Accumulator::add(Value value, Value gradient, ArrayRef<Guard> guards) {
  parts[value].push_back({gradient, Guards(guards)});
}

Value Accumulator::total(Value value, ArrayRef<Guard> guards) {
  auto found = parts.find(value);
  if (found == parts.end())
    return {};
  Location loc = value.getLoc();
  Value result = combine(loc, found->second, guards, [&]() -> Guarded {
    Value zero = emitter.filled(loc, value, 0);
    bool isConstant = zero.getDefiningOp()->getNumOperands() == 0;
    return {zero, isConstant ? Guards() : Guards(guards)};
  });
  found->second = {{result, Guards(guards)}};
  return result;
}

SmallVector<std::pair<Value, Value>>
Accumulator::takeFrom(llvm::function_ref<bool(Value)> chosen) {
  SmallVector<Value> values;
  for (auto &[value, _] : parts)
    if (chosen(value))
      values.push_back(value);
  SmallVector<std::pair<Value, Value>> result;
  for (Value value : values) {
    result.push_back({value, total(value, {})});
    parts.erase(value);
  }
  return result;
}

/// Whether both hold the same guards, in whatever order.
static bool areEqual(ArrayRef<Guard> a, ArrayRef<Guard> b) {
  return a.size() == b.size() && llvm::all_of(a, [&](const Guard &guard) {
           return llvm::is_contained(b, guard);
         });
}

Value Accumulator::combine(Location loc, SmallVector<Guarded> tokens,
                           ArrayRef<Guard> guards,
                           llvm::function_ref<Guarded()> zero) {
  auto takeAll = [&](ArrayRef<Guard> under) {
    SmallVector<Value> values;
    llvm::erase_if(tokens, [&](const Guarded &token) {
      if (!areEqual(token.guards, under))
        return false;
      values.push_back(token.value);
      return true;
    });
    return values;
  };
  while (true) {
    // Innermost decisions first: of the token with the most guards the last one,
    // since decisions stand behind those that they depend on.
    const Guarded &deepest =
        *llvm::max_element(tokens, [](const Guarded &a, const Guarded &b) {
          return a.guards.size() < b.guards.size();
        });
    if (deepest.guards.size() <= guards.size())
      return sum(loc, takeAll(guards));
    Guards under = deepest.guards;
    Guard decision = *llvm::find_if(llvm::reverse(under), [&](Guard guard) {
      return !llvm::is_contained(guards, guard);
    });
    Guards rest, other;
    for (Guard guard : under)
      if (guard != decision)
        rest.push_back(guard);
    other = rest;
    other.push_back(decision.getOpposite());
    Value here = sum(loc, takeAll(under));
    SmallVector<Value> there = takeAll(other);
    Value opposite =
        there.empty() ? route(loc, zero(), other) : sum(loc, there);
    if (!decision.side)
      std::swap(here, opposite);
    tokens.push_back(
        {MergeOp::create(emitter.b, loc, here, opposite), std::move(rest)});
  }
}

Value Accumulator::route(Location loc, Guarded token, ArrayRef<Guard> guards) {
  Value value = token.value;
  for (Guard guard : guards) {
    if (llvm::is_contained(token.guards, guard))
      continue;
    auto branch = BranchOp::create(emitter.b, loc, guard.condition, value);
    value = guard.side ? branch.getOnTrue() : branch.getOnFalse();
  }
  return value;
}

namespace {
/// Elements [offset, offset + size) of dimension `dim` of a tensor of zeros.
struct Piece {
  int64_t offset, size;
  Value value;
};
} // namespace

/// If `value` is zeros but for a slice that takes all of each dimension but one,
/// that slice. `dim` is the dimension, or -1 while it is open.
static std::optional<Piece> pieceOf(Value value, int64_t &dim) {
  auto insert = value.getDefiningOp<tensor::InsertSliceOp>();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!insert || !type.hasStaticShape() || !insert.hasUnitStride() ||
      insert.getSourceType().getRank() != type.getRank() ||
      !insert.getSourceType().hasStaticShape() ||
      !matchPattern(insert.getDest(), m_AnyZeroFloat()))
    return std::nullopt;
  ArrayRef<int64_t> offsets = insert.getStaticOffsets();
  if (llvm::any_of(offsets, ShapedType::isDynamic))
    return std::nullopt;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (insert.getSourceType().getDimSize(i) == type.getDimSize(i))
      continue;
    if (dim >= 0 && dim != i)
      return std::nullopt;
    dim = i;
  }
  if (dim < 0)
    return std::nullopt;
  return Piece{offsets[dim], insert.getSourceType().getDimSize(dim),
               insert.getSource()};
}

/// The sum of slices side by side is their concatenation, from which products
/// read the parts where they are. Null if that is not what the values are.
Value Accumulator::sumOfSlices(Location loc, ArrayRef<Value> values) {
  int64_t dim = -1;
  llvm::MapVector<std::pair<int64_t, int64_t>, SmallVector<Value>> pieces;
  for (Value value : values) {
    std::optional<Piece> piece = pieceOf(value, dim);
    if (!piece)
      return {};
    pieces[{piece->offset, piece->size}].push_back(piece->value);
  }
  auto ordered = pieces.takeVector();
  llvm::sort(ordered, [](auto &a, auto &b) { return a.first < b.first; });
  auto type = cast<RankedTensorType>(values.front().getType());
  SmallVector<Value> parts;
  int64_t end = 0;
  auto fillTo = [&](int64_t offset) {
    if (offset == end)
      return;
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = offset - end;
    auto gap = type.clone(shape);
    parts.push_back(arith::ConstantOp::create(
        emitter.b, loc,
        DenseElementsAttr::get(
            gap, emitter.b.getZeroAttr(type.getElementType()))));
  };
  for (auto &[place, same] : ordered) {
    if (place.first < end)
      return {}; // they overlap
    fillTo(place.first);
    parts.push_back(sum(loc, same));
    end = place.first + place.second;
  }
  fillTo(type.getDimSize(dim));
  if (parts.size() == 1)
    return parts.front();
  return tensor::ConcatOp::create(emitter.b, loc, type, dim, parts);
}

Value Accumulator::sum(Location loc, ArrayRef<Value> values) {
  Value result = values.front();
  if (isa<ListType>(result.getType())) {
    for (Value value : values.drop_front())
      result = sumOfLists(emitter.b, loc, result, value);
    return result;
  }
  if (Value joined = sumOfSlices(loc, values))
    return joined;
  for (Value value : values.drop_front())
    result = arith::AddFOp::create(emitter.b, loc, result, value);
  return result;
}
