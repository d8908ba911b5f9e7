//===- TilePlan.cpp - Which products are generated, and in which form -----===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiles.h"

#include "FrameCode.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;

namespace {

class Planner {
public:
  Planner(const TileInput &input, unsigned level, const VectorTarget &target)
      : in(input), level(level), target(target) {}
  SmallVector<Tile, 0> run();

private:
  /// What a value of the next stage is made of, down to the products.
  struct Expression {
    llvm::SetVector<Operation *> ops;
    SmallVector<TileSlice> slices;
    llvm::SetVector<Value> rows;
    llvm::DenseSet<std::pair<Value, int64_t>> done;
  };

  unsigned levelOf(Value value) { return in.levels.lookup(value); }
  bool isMine(Operation *op) { return mine.contains(op); }
  bool isNext(Value value) { return levelOf(value) == level + 1; }
  static RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }
  static bool hasFloats(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getElementType().isF32();
  }

  void findProducts();
  void findWanted();
  void wantStored(Value value);
  bool express(Value value, int64_t shift, int64_t width, int64_t rank,
               Expression &into);
  bool canMake(Value value, Expression &into);
  void leaveRaw(Value value);
  void findSources(Value x, int64_t offset, int64_t k, int64_t row,
                   SmallVectorImpl<TileSegment> &sources);
  bool isRow(Value value, int64_t rank) {
    return hasFloats(value) && typeOf(value).getRank() == rank &&
           (isa<BlockArgument>(value) || in.stored.contains(value));
  }
  Tile makeTile(int64_t width, ArrayRef<Value> results, bool isRaw);
  void addSegments(Tile &tile);
  bool sharesColumns(Value value, int64_t width, ArrayRef<Value> others);

  TileInput in;
  unsigned level;
  const VectorTarget &target;
  llvm::SetVector<Operation *> mine; ///< Products of this stage.
  llvm::SetVector<Value> wanted;     ///< What tiles may have to make.
  llvm::SetVector<Value> welcome;    ///< What they may make if they can.
  llvm::DenseMap<Value, Expression> expressions; ///< Of those they do make.
  llvm::SetVector<Operation *> raw; ///< Products whose sums others read.
};

void Planner::findProducts() {
  for (Operation *op : in.products) {
    auto product = cast<CellOpInterface>(op);
    auto x = typeOf(op->getOperand(0)), y = typeOf(op->getResult(0));
    if (levelOf(op->getResult(0)) == level + 1 && !product.getProductChoice() &&
        x.getRank() <= 2 && !x.isDynamicDim(x.getRank() - 1) &&
        x.getShape().back() > 0 && y.getShape().back() > 0)
      mine.insert(op);
  }
}

/// Of a concatenation the parts: products read them where they are.
void Planner::wantStored(Value value) {
  if (!isConcatenatedFactor(value)) {
    in.stored.insert(value);
    wanted.insert(value);
    return;
  }
  for (Value input : value.getDefiningOp()->getOperands())
    if (isNext(input))
      wantStored(input);
}

/// Outputs and stored values of the next stage, and what is read after it.
void Planner::findWanted() {
  for (Operation &op : in.block) {
    bool isYield = op.hasTrait<OpTrait::IsTerminator>();
    for (Value operand : valuesReadBy(&op)) {
      if (!isNext(operand) || !isa<RankedTensorType>(operand.getType()))
        continue;
      if (!isYield && levelOf(op.getResult(0)) > level + 1)
        wantStored(operand);
      else if (isYield || in.stored.contains(operand))
        wanted.insert(operand);
      else if (!cast<CellOpInterface>(op).isVirtual())
        welcome.insert(operand); // it had better lie in memory
    }
  }
}

/// Whether columns [shift, shift + width) of `value`, counted from the results'
/// columns, can be computed as runs.
bool Planner::express(Value value, int64_t shift, int64_t width, int64_t rank,
                      Expression &into) {
  if (!isa<RankedTensorType>(value.getType()))
    return matchPattern(value, m_Constant());
  SplatElementsAttr splat;
  if (into.done.contains({value, shift}) ||
      matchPattern(value, m_Constant(&splat)))
    return true;
  RankedTensorType type = typeOf(value);
  if (type.getRank() == 0 || type.isDynamicDim(type.getRank() - 1) ||
      shift < 0 || shift + width > type.getShape().back())
    return false;
  if (isUniform(value))
    return hasFloats(value) && type.getRank() == 1;
  Operation *op = value.getDefiningOp();
  bool isTruth = op && type.getElementType().isInteger(1);
  if (type.getRank() != rank || (!hasFloats(value) && !isTruth))
    return false;
  if (op && isMine(op)) {
    TileSlice slice{op, shift};
    if (!llvm::is_contained(into.slices, slice))
      into.slices.push_back(slice);
    into.ops.insert(op);
    Value bias = cast<CellOpInterface>(op).getProductBias();
    into.done.insert({value, shift});
    return !raw.contains(op) &&
           (!bias || express(bias, shift, width, rank, into));
  }
  if (!isNext(value) && isRow(value, rank)) {
    into.rows.insert(value);
    return true;
  }
  SmallVector<RunOperand> operands;
  auto cell = dyn_cast_or_null<CellOpInterface>(op);
  if (cell && cell.isVirtual() && cell.emitsRuns(operands)) {
    Expression before = into;
    if (llvm::all_of(operands, [&](RunOperand each) {
          return express(op->getOperand(each.operand), shift + each.shift,
                         width, rank, into);
        })) {
      into.ops.insert(op);
      into.done.insert({value, shift});
      return true;
    }
    into = std::move(before);
  }
  if (levelOf(value) != 0 || !hasFloats(value))
    return false;
  in.stored.insert(value); // of the first stage, before any product
  into.rows.insert(value);
  return true;
}

/// Whether a tile can make all of `value`.
bool Planner::canMake(Value value, Expression &into) {
  RankedTensorType type = typeOf(value);
  int64_t rank = type.getRank();
  return hasFloats(value) && (rank == 1 || rank == 2) &&
         !type.isDynamicDim(rank - 1) && type.getShape().back() > 0 &&
         express(value, 0, type.getShape().back(), rank, into) &&
         !into.slices.empty();
}

/// The products whose sums are read where `value` is made must be in memory.
void Planner::leaveRaw(Value value) {
  if (!isNext(value) || (expressions.count(value) && in.stored.contains(value)))
    return;
  Operation *op = value.getDefiningOp();
  if (isMine(op)) {
    raw.insert(op);
    return;
  }
  for (Value operand : valuesReadBy(op))
    leaveRaw(operand);
}

/// Where a product finds elements [offset, offset + k) of its rows: in one
/// value, or in several that are concatenated.
void Planner::findSources(Value x, int64_t offset, int64_t k, int64_t row,
                          SmallVectorImpl<TileSegment> &sources) {
  int64_t rank = typeOf(x).getRank();
  auto concat = x.getDefiningOp<tensor::ConcatOp>();
  // Parts that another product reads as well meet its weights in the same pass;
  // else they had better be in one.
  bool isKept = isRow(x, rank) && !isNext(x);
  bool isShared = concat && llvm::any_of(concat.getInputs(), [&](Value part) {
                    return llvm::any_of(mine, [&](Operation *op) {
                      return op->getOperand(0) == part;
                    });
                  });
  if (concat && (isShared || !isKept) && int64_t(concat.getDim()) == rank - 1 &&
      offset == 0 && k == typeOf(x).getShape().back()) {
    SmallVector<TileSegment> parts;
    int64_t begin = row;
    for (Value input : concat.getInputs()) {
      int64_t size = typeOf(input).getShape().back();
      if (ShapedType::isDynamic(size) || isUniform(input))
        break;
      if (size > 0)
        findSources(input, 0, size, begin, parts);
      begin += size;
    }
    if (begin == row + k) {
      sources.append(parts);
      return;
    }
  }
  if (isKept) {
    sources.push_back({x, offset, k, 0, {row}, 0});
    return;
  }
  SmallVector<RunOperand> operands;
  if (auto slice = x.getDefiningOp<tensor::ExtractSliceOp>();
      slice && cast<CellOpInterface>(*slice).emitsRuns(operands) &&
      isRow(slice.getSource(), rank)) {
    sources.push_back(
        {slice.getSource(), offset + operands[0].shift, k, 0, {row}, 0});
    return;
  }
  in.stored.insert(x);
  sources.push_back({x, offset, k, 0, {row}, 0});
}

/// Of slices of equal inputs: one pass over the input for all of them.
void Planner::addSegments(Tile &tile) {
  using Key = std::tuple<Value, int64_t, int64_t>;
  llvm::MapVector<Key, SmallVector<std::pair<TileSlice, int64_t>>> inputs;
  for (TileSlice slice : tile.slices) {
    Value x = slice.product->getOperand(0);
    SmallVector<TileSegment> sources;
    findSources(x, 0, typeOf(x).getShape().back(), 0, sources);
    for (const TileSegment &source : sources)
      inputs[{source.x, source.offset, source.k}].push_back(
          {slice, source.rows[0]});
  }
  // Slices that are read together become neighbours.
  auto users = [&](TileSlice slice) {
    SmallVector<unsigned> numbers;
    for (auto [number, entry] : llvm::enumerate(inputs))
      if (llvm::any_of(entry.second,
                       [&](auto &each) { return each.first == slice; }))
        numbers.push_back(number);
    return numbers;
  };
  llvm::stable_sort(tile.slices, [&](TileSlice a, TileSlice b) {
    SmallVector<unsigned> x = users(a), y = users(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  for (auto &[key, users] : inputs) {
    auto [x, offset, k] = key;
    auto rowOf = [&](TileSlice slice) -> std::optional<int64_t> {
      for (auto &[user, row] : users)
        if (user == slice)
          return row;
      return std::nullopt;
    };
    for (unsigned first = 0; first < tile.slices.size();) {
      SmallVector<int64_t> rows;
      while (first + rows.size() < tile.slices.size())
        if (auto row = rowOf(tile.slices[first + rows.size()]))
          rows.push_back(*row);
        else
          break;
      // In equal parts, none with too many sums.
      unsigned count = rows.size();
      unsigned parts = llvm::divideCeil(count, kMostSlices);
      for (unsigned part = 0; part < parts; ++part) {
        unsigned begin = count * part / parts, end = count * (part + 1) / parts;
        tile.segments.push_back(
            {x, offset, k, first + begin,
             SmallVector<int64_t>(ArrayRef(rows).slice(begin, end - begin)),
             /*begun=*/0});
      }
      first += std::max(count, 1u);
    }
    tile.rows.insert(x);
  }
}

/// Whether some columns of `value`, `width` at a time, are made of slices that
/// others are made of as well.
bool Planner::sharesColumns(Value value, int64_t width,
                            ArrayRef<Value> others) {
  Expression parts;
  RankedTensorType type = typeOf(value);
  for (int64_t column = 0; column < type.getShape().back(); column += width)
    if (!express(value, column, width, type.getRank(), parts))
      return false;
  return llvm::any_of(others, [&](Value other) {
    return llvm::any_of(expressions[other].slices, [&](TileSlice slice) {
      return llvm::is_contained(parts.slices, slice);
    });
  });
}

/// Of results that are `width` columns wide, or several times that.
Tile Planner::makeTile(int64_t width, ArrayRef<Value> results, bool isRaw) {
  Tile tile;
  tile.level = level;
  tile.mustClear = false;
  tile.isRaw = isRaw;
  tile.width = width;
  tile.isBlock = typeOf(results[0]).getRank() == 2;
  for (Value result : results) {
    tile.results.insert(result);
    if (isRaw) {
      tile.slices.push_back({result.getDefiningOp(), 0});
      continue;
    }
    Expression made;
    for (int64_t column = 0; column < typeOf(result).getShape().back();
         column += width) {
      [[maybe_unused]] bool isMade =
          express(result, column, width, typeOf(result).getRank(), made);
      assert(isMade && "columns of what a tile can make");
    }
    tile.ops.insert(made.ops.begin(), made.ops.end());
    tile.rows.insert(made.rows.begin(), made.rows.end());
    for (TileSlice slice : made.slices)
      if (!llvm::is_contained(tile.slices, slice))
        tile.slices.push_back(slice);
  }
  addSegments(tile);
  chooseVectors(tile, target);
  return tile;
}

SmallVector<Tile, 0> Planner::run() {
  findProducts();
  if (mine.empty())
    return {};
  findWanted();
  // What cannot be a tile's reads sums from memory; then the other results of
  // those products may as well.
  for (bool isDone = false; !isDone;) {
    expressions.clear();
    for (Value value : welcome)
      if (Expression made; canMake(value, made)) {
        in.stored.insert(value);
        wanted.insert(value);
      }
    for (Value value : wanted)
      if (Expression made; canMake(value, made))
        expressions[value] = std::move(made);
    size_t before = raw.size();
    for (Operation &op : in.block)
      if (op.getNumResults() && isNext(op.getResult(0)) &&
          !isa<RankedTensorType>(op.getResult(0).getType()))
        leaveRaw(op.getResult(0)); // a scalar is made where it is needed
    for (Value value : wanted)
      if (!expressions.count(value))
        leaveRaw(value);
    isDone = raw.size() == before;
  }

  // Results that share a product or its input, and their width, share a tile.
  llvm::EquivalenceClasses<void *> classes;
  auto key = [](Value value) { return value.getAsOpaquePointer(); };
  llvm::MapVector<std::pair<int64_t, void *>, SmallVector<Value>> groups;
  for (auto &[value, made] : expressions)
    for (const TileSlice &slice : made.slices)
      classes.unionSets(key(made.slices[0].product->getOperand(0)),
                        key(slice.product->getOperand(0)));
  for (Value value : wanted)
    if (auto found = expressions.find(value); found != expressions.end()) {
      void *x = key(found->second.slices[0].product->getOperand(0));
      groups[{typeOf(value).getShape().back(), classes.getLeaderValue(x)}]
          .push_back(value);
    }
  SmallVector<Tile, 0> tiles;
  for (auto &[key, results] : groups) {
    auto [width, x] = key;
    // Wider results whose columns are of the same sums: in parts.
    for (auto &[other, wider] : groups)
      if (other.second == x && other.first > width && other.first % width == 0)
        llvm::erase_if(wider, [&](Value value) {
          bool isShared = sharesColumns(value, width, results);
          if (isShared)
            results.push_back(value);
          return isShared;
        });
  }
  for (auto &[key, results] : groups)
    if (!results.empty())
      tiles.push_back(makeTile(key.first, results, /*isRaw=*/false));
  for (Operation *op : raw)
    tiles.push_back(makeTile(typeOf(op->getResult(0)).getShape().back(),
                             op->getResult(0), /*isRaw=*/true));
  return tiles;
}
} // namespace

SmallVector<Tile, 0> amp::planTiles(const TileInput &input, unsigned level,
                                    const VectorTarget &target) {
  return Planner(input, level, target).run();
}
