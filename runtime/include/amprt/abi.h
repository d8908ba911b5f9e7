//===- abi.h - Contract between generated code and the runtime --*- C -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that a compiled model and the runtime share: the structures that
// both read and the functions that generated code calls. A change here must be
// reflected in lib/Conversion/AmpRTToLLVM and raises AMPRT_ABI_VERSION.
//
// Words. A value that travels between frames is a sequence of 8-byte *words*:
// a scalar is one word (its bytes at the word's start, the rest undefined); a
// tensor is one word with the address of its elements (row-major, dense)
// followed by one int64 word for each dynamic dimension, outermost first; a
// collector or a list is one word.
//
// Threads. One worker owns an instance from its admission to its end; every
// function below is called on the worker's own thread only.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_ABI_H
#define AMPRT_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AMPRT_ABI_MAGIC 0x414d5052u // "AMPR"
#define AMPRT_ABI_VERSION 8u

typedef struct amprt_worker amprt_worker_t;
typedef struct amprt_instance amprt_instance_t;
typedef struct amprt_frame amprt_frame_t;
typedef struct amprt_collector amprt_collector_t;
typedef struct amprt_list amprt_list_t;

/// Tells a frame that one of its events has happened: the values are in the
/// frame's words. `depth` is the number of cells on the longest path that led
/// to those values. May run control steps, enqueue cells and post events, but
/// never calls another frame's handler (so native recursion is bounded).
typedef void (*amprt_handler_t)(amprt_worker_t *, amprt_frame_t *,
                                uint32_t depth);

/// One activation of a cell that waits in, or was taken from, a ready queue.
typedef struct amprt_activation {
  amprt_frame_t *frame;
  uint32_t depth; ///< 1 + the depth of its deepest input.
  uint32_t rows;  ///< Rows of its row block; 1 unless batched statically.
} amprt_activation_t;

/// Runs a cell over a batch of activations (compute), or tells each of their
/// frames that it is done (complete; a batch may be completed in several
/// parts).
typedef void (*amprt_batch_fn_t)(amprt_worker_t *, const amprt_activation_t *,
                                 int64_t count);

/// Where a call's results go in the frame that made it.
typedef struct amprt_site {
  const amprt_handler_t *handlers; ///< One a result event of the callee.
  const uint32_t *offsets; ///< Byte offset in the parent for each result word.
} amprt_site_t;

/// The head of every activation's memory. Behind it: `arrived` words (one bit
/// an event, bit 0 is the start), depths, and the values' words; the compiler
/// lays them out. Frames live in their instance's arena.
struct amprt_frame {
  amprt_instance_t *instance;
  amprt_frame_t *parent;    ///< The frame that opened this one.
  const amprt_site_t *site; ///< Calls: where results go. Else unused.
  amprt_frame_t *next;      ///< Loop iterations: the following one, or null.
  int64_t index;            ///< Induction value of an iteration or map element.
};

/// A parameter as loaded: the elements and the number of rows (dimension 0).
typedef struct amprt_param_view {
  void *data;
  int64_t rows;
} amprt_param_view_t;

/// An element of a persistent list, with all that are below it: a list is the
/// address of its last element, and null if it has none. Lists share what they
/// have in common; nothing of one that can be seen ever changes. `jump` makes
/// any element reachable in O(log length) (Myers 1983, "An applicative
/// random-access stack"). The words of the element's value follow.
struct amprt_list {
  const amprt_list_t *rest;        ///< The list without this element.
  const amprt_list_t *jump;        ///< A list further below.
  int64_t length;                  ///< Elements, with this one.
  struct amprt_list_rows *stacked; ///< The runtime's; null at first.
};

/// Rows that lie somewhere: `rows` of them, dense.
typedef struct amprt_block {
  const void *data;
  int64_t rows;
} amprt_block_t;

/// The part of a worker that generated code reads.
struct amprt_worker {
  const amprt_param_view_t *params;
  const float *const *panels; ///< The model's packed weights; each aligned to
                              ///< 64 bytes.
};

/// The part of an instance that generated code reads.
struct amprt_instance {
  char *cursor; ///< Its free space for frames; aligned to 16 bytes.
  char *end;
  int64_t failed; ///< Not 0 once it has failed. A handler that loops over many
                  ///< frames (a map's elements) should leave its loop then;
                  ///< nothing that it opened will run.
  uint64_t seed;  ///< For what is random in it (dropout). Training: differs for
                  ///< each instance and epoch, and depends on nothing else.
};

//===----------------------------------------------------------------------===//
// Functions of the runtime that generated code calls
//===----------------------------------------------------------------------===//

/// Memory for a frame (16-byte aligned, not cleared) in `instance`'s arena;
/// counts as one step towards the instance's step limit. Never null.
amprt_frame_t *amprt_frame_new(amprt_worker_t *, amprt_instance_t *,
                               int64_t bytes);

/// Memory for rows in `instance`'s arena, not cleared; 64-byte aligned from 64
/// bytes on, else 16. Never null; beyond the memory limit it fails the
/// instance. A negative or unreasonable size (over 2^40) fails it too and
/// yields memory that may not be relied on, so sizes are checked before.
void *amprt_rows_new(amprt_worker_t *, amprt_instance_t *, int64_t bytes);

/// Gives back what amprt_rows_new gave for the same `bytes` in the same
/// instance. Nobody touches it any more: it may be handed out again at once.
/// (A runtime may also keep it until the instance ends.)
void amprt_rows_release(amprt_worker_t *, amprt_instance_t *, void *rows,
                        int64_t bytes);

/// Puts an activation into the ready queue of cell number `cell`.
void amprt_enqueue(amprt_worker_t *, uint32_t cell, amprt_frame_t *,
                   uint32_t depth, uint32_t rows);

/// Has `handler` called later, before the next cell runs: the last one posted
/// comes first, and no code may rely on that.
void amprt_post(amprt_worker_t *, amprt_handler_t handler, amprt_frame_t *,
                uint32_t depth);

// Failing. The first failure of an instance counts. It is only noted; handlers
// and cells that are running go on, may call any function for the instance, and
// return. At the next point between two events or batches the instance's events
// and activations are dropped, and its memory is freed.

/// Fails the frame's instance: `where` is "file:line:column", `what` names the
/// thing, and the message says that `value` is outside [0, limit). The caller
/// returns without firing anything that depends on it.
void amprt_fail_range(amprt_worker_t *, amprt_frame_t *, const char *where,
                      const char *what, int64_t value, int64_t limit);

/// Fails the frame's instance with a message.
void amprt_fail(amprt_worker_t *, amprt_frame_t *, const char *where,
                const char *message);

/// Scratch memory, 64-byte aligned, valid until the cell's compute function
/// returns. Null only for a size that is negative or over 2^46.
void *amprt_scratch(amprt_worker_t *, int64_t bytes);

/// y[rows, n] = x[rows, k] W for entry `linear` of the model's table of
/// products; both dense and row-major, they may not overlap. A row's result is
/// the same to the bit whatever rows it shares the call with.
void amprt_linear(amprt_worker_t *, uint32_t linear, const float *x, float *y,
                  int64_t rows);

/// y[i, n] = x[i, k] W[which[i]] for each row i: a product with one of the
/// `groups` matrices of entry `linear`, chosen row by row. Each which[i] is in
/// [0, groups). Otherwise as amprt_linear, also to the bit.
void amprt_linear_grouped(amprt_worker_t *, uint32_t linear, const float *x,
                          float *y, int64_t rows, const int32_t *which);

/// `rest` with an element on top, whose value needs `bytes`; the caller fills
/// in the value. In `instance`'s arena. Never null.
amprt_list_t *amprt_list_push(amprt_worker_t *, amprt_instance_t *,
                              const amprt_list_t *rest, int64_t bytes);

/// The list whose last element is number `index` of `list`, counted from the
/// one that was pushed first; 0 <= index < length.
const amprt_list_t *amprt_list_at(const amprt_list_t *list, int64_t index);

/// All elements of `list` as rows, the first one first. Each has `bytes`, which
/// lie in the words of its value or, if `by_address`, where the first word
/// says. In `instance`'s arena; nobody may write there. What an earlier call
/// for a part of the list has copied is not copied again while it has room
/// behind it: of a list that grows by one between two calls, one element. Other
/// calls must not run at the same time. No rows if the instance has failed, or
/// fails.
amprt_block_t amprt_list_stack(amprt_worker_t *, amprt_instance_t *,
                               amprt_list_t *list, int64_t bytes,
                               int32_t by_address);

/// The rows of all blocks, one after the other, in `instance`'s arena; `total`
/// gets their number. Never null; too many rows fail the instance.
void *amprt_concat_rows(amprt_worker_t *, amprt_instance_t *,
                        const amprt_block_t *blocks, int64_t count,
                        int64_t row_bytes, int64_t *total);

// Gradients of parameters. A worker adds up its own, in f32, without locks;
// they come together when all instances of an update have ended. Without
// training (nobody wants gradients) these functions do nothing.

/// Adds the gradient of y = x W for entry `gradient` of the model's table: that
/// of W[i][j] grows by the sum over all rows of x[i] dy[j]. Both dense; they
/// are copied, and multiplied later together with others.
void amprt_gradient_product(amprt_worker_t *, uint32_t gradient, const float *x,
                            const float *dy, int64_t rows);

/// The same with a matrix for each row, as in amprt_linear_grouped. Each
/// which[i] is in [0, groups).
void amprt_gradient_grouped(amprt_worker_t *, uint32_t gradient, const float *x,
                            const float *dy, int64_t rows,
                            const int32_t *which);

/// Adds `rows` rows of `count` values each to the gradient of the `count`
/// elements of parameter `param` from element `offset` on (a bias: its rows are
/// summed).
void amprt_gradient_add(amprt_worker_t *, uint32_t param, int64_t offset,
                        const float *values, int64_t rows, int64_t count);

/// Adds to the gradient of row `index` of parameter `param` (a lookup); `index`
/// is in range, and a row is all elements behind dimension 0.
void amprt_gradient_row(amprt_worker_t *, uint32_t param, int64_t index,
                        const float *row);

/// A collector of `rows` rows of `row_bytes` each, owned by `owner`; when the
/// last row is in, `handler` is posted to the owner with the greatest depth of
/// the rows. With zero rows it is posted at once, with the depth of the
/// instance's fields. A negative or too large size fails the instance. Never
/// null.
amprt_collector_t *amprt_collector_new(amprt_worker_t *, amprt_frame_t *owner,
                                       amprt_handler_t handler, int64_t rows,
                                       int64_t row_bytes, const char *where);

/// The collected rows: dense, in index order.
void *amprt_collector_data(amprt_collector_t *);
int64_t amprt_collector_rows(amprt_collector_t *);

/// Copies `row` to place `index`; `frame` is any frame of the instance. An
/// index out of range or given twice fails the instance. If no event and no
/// activation is left while rows are missing, the instance fails with `where`
/// of amprt_collector_new.
void amprt_collector_put(amprt_worker_t *, amprt_frame_t *, amprt_collector_t *,
                         int64_t index, const void *row, uint32_t depth,
                         const char *where);

//===----------------------------------------------------------------------===//
// The model descriptor: one constant `amprt_model` in each compiled model
//===----------------------------------------------------------------------===//

typedef enum amprt_dtype {
  AMPRT_F32 = 0,
  AMPRT_F64 = 1,
  AMPRT_I32 = 2,
  AMPRT_I64 = 3,
  AMPRT_I1 = 4,    ///< One byte each, 0 or 1.
  AMPRT_INDEX = 5, ///< As int64.
  AMPRT_BF16 = 6,
  AMPRT_F16 = 7
} amprt_dtype_t;

/// Instead of a dtype, of cells' values alone: a list or a collector, one word
/// that means something in its own address space only.
#define AMPRT_OPAQUE 8u

#define AMPRT_DYNAMIC (-1)

typedef struct amprt_type {
  uint32_t dtype;
  int32_t rank;        ///< -1: a scalar value, not a tensor.
  const int64_t *dims; ///< AMPRT_DYNAMIC where open.
} amprt_type_t;

/// A field of an instance, or of its result.
typedef struct amprt_field {
  const char *name;
  amprt_type_t type;
  uint32_t offset; ///< Fields: byte offset of its first word in the entry
                   ///< frame. Results: index of its first result word.
} amprt_field_t;

typedef enum amprt_init {
  AMPRT_INIT_ZEROS = 0,
  AMPRT_INIT_CONSTANT = 1, ///< a
  AMPRT_INIT_UNIFORM = 2,  ///< in [a, b)
  AMPRT_INIT_NORMAL = 3,   ///< mean a, standard deviation b
  AMPRT_INIT_GLOROT = 4    ///< uniform in +-sqrt(6 / (rows + columns)) of the
                           ///< last two dimensions
} amprt_init_t;

enum {
  /// Control steps read elements of it, or rows of it are results: it is read
  /// outside of cells. (The address of a row is no read.)
  AMPRT_PARAM_READ_BY_CONTROL = 1u
};

typedef struct amprt_param_desc {
  const char *name;
  amprt_type_t type; ///< Only dimension 0 may be open: the file fixes it.
  uint32_t init;
  uint32_t flags;
  double a, b;
} amprt_param_desc_t;

/// A product with a parameter [k, n] or [groups, k, n] as its right side, or,
/// `transposed`, with the transpose of one of [n, k] or [groups, n, k]. The
/// parameter is f32, or bf16 or f16, which are multiplied as f32.
typedef struct amprt_linear_desc {
  uint32_t param;
  uint32_t groups; ///< 1 for a parameter [k, n].
  int64_t k, n;
  uint32_t transposed; ///< 0 or 1.
  uint32_t reserved;   ///< 0
} amprt_linear_desc_t;

/// Where a column of sums finds its weights: `k` rows of a parameter [.., n]
/// (f32, bf16 or f16; its leading dimensions are one), from `row` on, and
/// `width` columns from `column` on. Element (k, j) of the part is
/// param[row + k][column + j]; `transposed`: param[row + j][column + k].
typedef struct amprt_panel_part {
  uint32_t param;
  uint32_t transposed; ///< 0 or 1.
  int64_t row, column;
} amprt_panel_part_t;

/// Weights as generated products read them. A *group* is `unroll` vectors of
/// `lanes` columns of each part; the groups cover `width` columns, the last one
/// ends with the last column, so that it may repeat some. Packed, as f32:
/// [group][k][part][unroll][lanes]. Needs unroll * lanes <= width.
typedef struct amprt_panel_desc {
  const amprt_panel_part_t *parts;
  uint32_t part_count, lanes, unroll;
  uint32_t reserved; ///< 0
  int64_t k, width;
} amprt_panel_desc_t;

/// A block of a parameter that is a product's right side: rows [row, row + k)
/// and columns [column, column + n) of each of its `groups` matrices. With one
/// group, the parameter's leading dimensions are one.
typedef struct amprt_gradient_desc {
  uint32_t param, groups;
  int64_t row, column, k, n;
} amprt_gradient_desc_t;

enum {
  AMPRT_CELL_HAS_PRODUCT = 1u,
  AMPRT_CELL_BACKWARD = 2u ///< Works on gradients.
};

/// A value that a cell reads from an activation's frame, or writes to it.
typedef struct amprt_value {
  amprt_type_t type;
  uint32_t offset; ///< Of its first word, in bytes.
  uint32_t levels; ///< In whose frame: so many parents up. 0 for results.
} amprt_value_t;

typedef struct amprt_cell_desc {
  const char *name;
  const char *where;   ///< "file:line:column" of its first op.
  const char *summary; ///< Its ops, for people.
  uint32_t flags;
  uint32_t priority; ///< Cells on the longest path from this one, which
                     ///< counts, to the end of its activation.
  amprt_batch_fn_t compute, complete;
  /// All that compute reads of a frame but for its head (whose `index`, and of
  /// whose instance `seed` and `failed`, it may read, too), and all that it
  /// writes there.
  const amprt_value_t *inputs, *results;
  const uint32_t *params; ///< What it reads or gives gradients to, directly or
                          ///< as rows that its inputs may point to; ascending.
  uint32_t input_count, result_count, param_count;
  uint32_t work; ///< Floating-point operations of an activation, estimated;
                 ///< an open dimension counts as 8.
} amprt_cell_desc_t;

#define AMPRT_NO_LOSS 0xffffffffu

/// How an instance is run: what it takes and gives, and where it starts.
typedef struct amprt_entry {
  const amprt_field_t *fields, *results;
  uint32_t field_count, result_count;
  uint32_t result_words;   ///< All results' words, in order.
  uint32_t result_events;  ///< Events (see amprt_site) that deliver them.
  uint32_t arrived_words;  ///< Words of `arrived` in the entry frame, which
                           ///< follow its head directly.
  uint32_t loss;           ///< Number of the result that is the loss, a scalar
                           ///< f32 or f64; or AMPRT_NO_LOSS.
  const uint64_t *arrived; ///< Their initial values (the fields are there).
  int64_t entry_bytes;   ///< Size of the entry frame. It comes cleared, but for
                         ///< its head, `arrived` and the fields' words.
  amprt_handler_t start; ///< Starts the entry frame; returns through its site,
                         ///< as every call does.
  /// train: bits of the entry frame's `arrived` that are set once the backward
  /// pass has ended, in any instance, and what each of them says of it, lowest
  /// first ("cell f.3"). An instance that ends without one has stalled. May be
  /// null, if nothing is known.
  const uint64_t *ended;
  const char *const *ended_names;
} amprt_entry_t;

/// Extensions of x86-64 that code may need, by the names that LLVM and
/// __builtin_cpu_supports share. X(name) for each.
// clang-format off
#define AMPRT_X86_FEATURES(X)                                                  \
  X("popcnt") X("sse3") X("ssse3") X("sse4.1") X("sse4.2") X("sse4a")          \
  X("avx") X("xop") X("fma4") X("bmi") X("bmi2") X("lzcnt") X("f16c")          \
  X("fma") X("avx2") X("avxvnni") X("gfni") X("vaes") X("vpclmulqdq")          \
  X("avx512f") X("avx512cd") X("avx512bw") X("avx512dq") X("avx512vl")         \
  X("avx512ifma") X("avx512vbmi") X("avx512vbmi2") X("avx512vnni")             \
  X("avx512bitalg") X("avx512vpopcntdq") X("avx512bf16") X("avx512fp16")
// clang-format on

typedef struct amprt_model {
  uint32_t magic, abi_version;
  const char *name;
  const char *target; ///< CPU and features that the code was made for.
  /// Of AMPRT_X86_FEATURES those that the code needs, each with a space behind
  /// it; null: none.
  const char *features;
  /// The same model for another processor, for those that lack some; or null.
  const struct amprt_model *next;
  const amprt_param_desc_t *params;
  const amprt_linear_desc_t *linears;
  const amprt_panel_desc_t *panels;
  const amprt_gradient_desc_t *gradients;
  const amprt_cell_desc_t *cells;
  const amprt_entry_t *predict;
  const amprt_entry_t *evaluate; ///< As predict, with the loss. Null unless the
                                 ///< model was compiled with --train.
  const amprt_entry_t *train; ///< As evaluate, with gradients. Null likewise.
  uint32_t param_count, linear_count, panel_count, gradient_count, cell_count;
  uint32_t reserved; ///< 0
} amprt_model_t;

#ifdef __cplusplus
} // extern "C"
static_assert(sizeof(void *) == 8, "amprt needs 64-bit addresses");
static_assert(sizeof(amprt_activation_t) == 16, "ABI");
static_assert(sizeof(amprt_frame_t) == 40, "ABI");
static_assert(sizeof(struct amprt_instance) == 32, "ABI");
static_assert(sizeof(amprt_param_view_t) == 16, "ABI");
static_assert(sizeof(amprt_list) == 32, "ABI");
static_assert(sizeof(amprt_block_t) == 16, "ABI");
static_assert(sizeof(amprt_site_t) == 16, "ABI");
static_assert(sizeof(amprt_type_t) == 16, "ABI");
static_assert(sizeof(amprt_field_t) == 32, "ABI");
static_assert(sizeof(amprt_param_desc_t) == 48, "ABI");
static_assert(sizeof(amprt_linear_desc_t) == 32, "ABI");
static_assert(sizeof(amprt_panel_part_t) == 24, "ABI");
static_assert(sizeof(amprt_panel_desc_t) == 40, "ABI");
static_assert(sizeof(amprt_value_t) == 24, "ABI");
static_assert(sizeof(amprt_cell_desc_t) == 88, "ABI");
static_assert(sizeof(amprt_gradient_desc_t) == 40, "ABI");
static_assert(sizeof(amprt_entry_t) == 80, "ABI");
static_assert(sizeof(amprt_model_t) == 128, "ABI");
#endif

#endif // AMPRT_ABI_H
