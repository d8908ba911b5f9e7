//===- AmpRT.td - Level C: what the runtime executes -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TD
#define AMPRT_TD

include "AmpRT/AmpRTBase.td"
include "AmpRT/AmpRTTables.td"

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

def AmpRT_LoadOp : AmpRT_Op<"load", [
    MemoryEffects<[MemRead<DefaultResource, 0, FullEffect>]>]> {
  let summary = "a word of a frame";
  let description = [{ Reads the value at a byte offset of the frame. }];
  let arguments = (ins AmpRT_FrameType:$frame, I64Attr:$offset);
  let results = (outs AmpRT_Word:$value);
  let assemblyFormat = "$frame `[` $offset `]` `:` type($value) attr-dict";
}

def AmpRT_StoreOp : AmpRT_Op<"store", [
    MemoryEffects<[MemWrite<DefaultResource, 0, FullEffect>]>]> {
  let summary = "sets a word of a frame";
  let description = [{ Writes the value at a byte offset of the frame. }];
  let arguments = (ins AmpRT_Word:$value, AmpRT_FrameType:$frame,
                       I64Attr:$offset);
  let assemblyFormat = "$value `,` $frame `[` $offset `]` `:` type($value) attr-dict";
}

def AmpRT_OpenOp : AmpRT_Op<"open"> {
  let summary = "memory for a new frame (amprt_frame_new)";
  let description = [{
    The head's `instance` and `parent` are set, to those of and to `parent`;
    everything else is not.
  }];
  let arguments = (ins AmpRT_WorkerType:$worker, AmpRT_FrameType:$parent,
                       FlatSymbolRefAttr:$layout);
  let results = (outs AmpRT_FrameType:$frame);
  let assemblyFormat = "$worker `,` $parent $layout attr-dict";
}

def AmpRT_RowsOp : AmpRT_Op<"rows"> {
  let summary = "memory in the frame's instance for elements (amprt_rows_new)";
  let description = [{ Not cleared; 64-byte aligned from 64 bytes on. }];
  let arguments = (ins AmpRT_WorkerType:$worker, AmpRT_FrameType:$frame,
                       I64:$bytes);
  let results = (outs AmpRT_Pointer:$data);
  let assemblyFormat = "$worker `,` $frame `,` $bytes attr-dict";
}

def AmpRT_ReleaseOp : AmpRT_Op<"release"> {
  let summary = "gives memory for elements back (amprt_rows_release)";
  let description = [{
    What `amprt.rows` gave for as many bytes in the frame's instance. Nothing reads
    or writes it any more.

    ```mlir
    amprt.release %worker, %frame, %data, %bytes
    ```
  }];
  let arguments = (ins AmpRT_WorkerType:$worker, AmpRT_FrameType:$frame,
                       AmpRT_Pointer:$data, I64:$bytes);
  let assemblyFormat = "$worker `,` $frame `,` $data `,` $bytes attr-dict";
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

def AmpRT_EnqueueOp : AmpRT_Op<"enqueue"> {
  let summary = "puts an activation into a cell's queue (amprt_enqueue)";
  let description = [{ With one row. }];
  let arguments = (ins AmpRT_WorkerType:$worker, FlatSymbolRefAttr:$cell,
                       AmpRT_FrameType:$frame, I32:$depth);
  let assemblyFormat = "$worker `,` $cell `,` $frame `,` $depth attr-dict";
}

def AmpRT_PostOp : AmpRT_Op<"post"> {
  let summary = "has a handler called later (amprt_post)";
  let description = [{ Before the next cell runs. }];
  let arguments = (ins AmpRT_WorkerType:$worker, FlatSymbolRefAttr:$handler,
                       AmpRT_FrameType:$frame, I32:$depth);
  let assemblyFormat = "$worker `,` $handler `,` $frame `,` $depth attr-dict";
}

def AmpRT_SetSiteOp : AmpRT_Op<"set_site"> {
  let summary = "tells a new frame where its results go";
  let description = [{ Writes the head's `site`. }];
  let arguments = (ins AmpRT_FrameType:$frame, FlatSymbolRefAttr:$site);
  let assemblyFormat = "$frame `,` $site attr-dict";
}

def AmpRT_DeliverOp : AmpRT_Op<"deliver"> {
  let summary = "gives the caller one result word";
  let description = [{
    Stores `value` in the parent's frame, where the frame's site says that result
    word `word` goes.
  }];
  let arguments = (ins AmpRT_Word:$value, AmpRT_FrameType:$frame, I64Attr:$word);
  let assemblyFormat = "$value `,` $frame `word` $word `:` type($value) attr-dict";
}

def AmpRT_PostResultOp : AmpRT_Op<"post_result"> {
  let summary = "tells the caller that a result event has happened";
  let description = [{ Posts the site's handler number `event` to the parent. }];
  let arguments = (ins AmpRT_WorkerType:$worker, AmpRT_FrameType:$frame,
                       I64Attr:$event, I32:$depth);
  let assemblyFormat = "$worker `,` $frame `event` $event `,` $depth attr-dict";
}

def AmpRT_FailOp : AmpRT_Op<"fail"> {
  let summary = "fails the frame's instance (amprt_fail)";
  let description = [{ The first failure of an instance is the one reported. }];
  let arguments = (ins AmpRT_WorkerType:$worker, AmpRT_FrameType:$frame,
                       StrAttr:$where, StrAttr:$message);
  let assemblyFormat = "$worker `,` $frame `,` $where `,` $message attr-dict";
}

def AmpRT_FailRangeOp : AmpRT_Op<"fail_range"> {
  let summary = "fails the frame's instance: out of range (amprt_fail_range)";
  let description = [{ Says that `value` is outside [0, limit). }];
  let arguments = (ins AmpRT_WorkerType:$worker, AmpRT_FrameType:$frame,
                       StrAttr:$where, StrAttr:$what, I64:$value, I64:$limit);
  let assemblyFormat = [{
    $worker `,` $frame `,` $where `,` $what `,` $value `,` $limit attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

def AmpRT_BatchFrameOp : AmpRT_Op<"batch.frame", [Pure]> {
  let summary = "frame of an activation of a batch";
  let description = [{ `batch[i].frame`. }];
  let arguments = (ins AmpRT_BatchType:$batch, I64:$index);
  let results = (outs AmpRT_FrameType:$frame);
  let assemblyFormat = "$batch `[` $index `]` attr-dict";
}

def AmpRT_BatchDepthOp : AmpRT_Op<"batch.depth", [Pure]> {
  let summary = "depth of an activation of a batch";
  let description = [{ `batch[i].depth`. }];
  let arguments = (ins AmpRT_BatchType:$batch, I64:$index);
  let results = (outs I32:$depth);
  let assemblyFormat = "$batch `[` $index `]` attr-dict";
}

def AmpRT_ScratchOp : AmpRT_Op<"scratch"> {
  let summary = "memory until the cell's compute returns (amprt_scratch)";
  let description = [{ 64-byte aligned, not cleared. }];
  let arguments = (ins AmpRT_WorkerType:$worker, I64:$bytes);
  let results = (outs AmpRT_Pointer:$data);
  let assemblyFormat = "$worker `,` $bytes attr-dict";
}

def AmpRT_ProductOp : AmpRT_Op<"product"> {
  let summary = "y = x W for many rows (amprt_linear)";
  let description = [{ Dense and row-major; `y` may not overlap `x`. }];
  let arguments = (ins AmpRT_WorkerType:$worker, FlatSymbolRefAttr:$linear,
                       AmpRT_Pointer:$x, AmpRT_Pointer:$y, I64:$rows);
  let assemblyFormat = [{
    $worker `,` $linear `(` $x `,` $y `)` `rows` $rows attr-dict
  }];
}

def AmpRT_GroupedProductOp : AmpRT_Op<"grouped_product"> {
  let summary = "y = x W[which] for many rows (amprt_linear_grouped)";
  let description = [{ `which` has an i32 for each row, in range. }];
  let arguments = (ins AmpRT_WorkerType:$worker, FlatSymbolRefAttr:$linear,
                       AmpRT_Pointer:$x, AmpRT_Pointer:$y, I64:$rows,
                       AmpRT_Pointer:$which);
  let assemblyFormat = [{
    $worker `,` $linear `(` $x `,` $y `)` `rows` $rows `by` $which attr-dict
  }];
}

def AmpRT_GradientProductOp : AmpRT_Op<"gradient.product"> {
  let summary = "rows of a product's factors, for its weights' gradient";
  let description = [{ amprt_gradient_product: dense rows, copied. }];
  let arguments = (ins AmpRT_WorkerType:$worker, FlatSymbolRefAttr:$gradient,
                       AmpRT_Pointer:$x, AmpRT_Pointer:$dy, I64:$rows);
  let assemblyFormat = [{
    $worker `,` $gradient `(` $x `,` $dy `)` `rows` $rows attr-dict
  }];
}

def AmpRT_GradientGroupedOp : AmpRT_Op<"gradient.grouped"> {
  let summary = "the same, with a matrix for each row";
  let description = [{ amprt_gradient_grouped; `which` has an i32 for each row. }];
  let arguments = (ins AmpRT_WorkerType:$worker, FlatSymbolRefAttr:$gradient,
                       AmpRT_Pointer:$x, AmpRT_Pointer:$dy, I64:$rows,
                       AmpRT_Pointer:$which);
  let assemblyFormat = [{
    $worker `,` $gradient `(` $x `,` $dy `)` `rows` $rows `by` $which attr-dict
  }];
}

def AmpRT_GradientAddOp : AmpRT_Op<"gradient.add"> {
  let summary = "adds rows to a parameter's gradient";
  let description = [{ amprt_gradient_add: each row has all `count` elements. }];
  let arguments = (ins AmpRT_WorkerType:$worker, FlatSymbolRefAttr:$param,
                       AmpRT_Pointer:$values, I64:$rows, I64:$count);
  let assemblyFormat = [{
    $worker `,` $param `,` $values `rows` $rows `of` $count attr-dict
  }];
}

def AmpRT_GradientRowOp : AmpRT_Op<"gradient.row"> {
  let summary = "adds to one row of a parameter's gradient";
  let description = [{ amprt_gradient_row; the index is in range. }];
  let arguments = (ins AmpRT_WorkerType:$worker, FlatSymbolRefAttr:$param,
                       I64:$index, AmpRT_Pointer:$row);
  let assemblyFormat = "$worker `,` $param `[` $index `]` `,` $row attr-dict";
}

def AmpRT_ParamOp : AmpRT_Op<"param", [Pure]> {
  let summary = "a parameter's elements and number of rows";
  let description = [{ From the worker's table of parameters. }];
  let arguments = (ins AmpRT_WorkerType:$worker, FlatSymbolRefAttr:$param);
  let results = (outs AmpRT_Pointer:$data, I64:$rows);
  let assemblyFormat = "$worker `,` $param attr-dict";
}

def AmpRT_PanelDataOp : AmpRT_Op<"panel_data", [Pure]> {
  let summary = "a panel's packed weights";
  let description = [{ From the worker's table of panels. }];
  let arguments = (ins AmpRT_WorkerType:$worker, FlatSymbolRefAttr:$panel);
  let results = (outs AmpRT_Pointer:$data);
  let assemblyFormat = "$worker `,` $panel attr-dict";
}

//===----------------------------------------------------------------------===//
// Collectors
//===----------------------------------------------------------------------===//

def AmpRT_CollectorNewOp : AmpRT_Op<"collector.new"> {
  let summary = "makes a collector (amprt_collector_new)";
  let description = [{ `handler` is posted to the frame when all rows are in. }];
  let arguments = (ins AmpRT_WorkerType:$worker, AmpRT_FrameType:$frame,
                       FlatSymbolRefAttr:$handler, I64:$rows, I64Attr:$row_bytes,
                       StrAttr:$where);
  let results = (outs AmpRT_Pointer:$collector);
  let assemblyFormat = [{
    $worker `,` $frame `,` $handler `,` $rows `row_bytes` $row_bytes $where
    attr-dict
  }];
}

def AmpRT_CollectorPutOp : AmpRT_Op<"collector.put"> {
  let summary = "gives a row (amprt_collector_put)";
  let description = [{ Copies the row. }];
  let arguments = (ins AmpRT_WorkerType:$worker, AmpRT_FrameType:$frame,
                       AmpRT_Pointer:$collector, I64:$index,
                       AmpRT_Pointer:$row, I32:$depth, StrAttr:$where);
  let assemblyFormat = [{
    $worker `,` $frame `,` $collector `[` $index `]` `,` $row `,` $depth $where
    attr-dict
  }];
}

def AmpRT_CollectorReadOp : AmpRT_Op<"collector.read"> {
  let summary = "the collected rows and their number";
  let description = [{ amprt_collector_data and amprt_collector_rows. }];
  let arguments = (ins AmpRT_Pointer:$collector);
  let results = (outs AmpRT_Pointer:$data, I64:$rows);
  let assemblyFormat = "$collector attr-dict";
}

//===----------------------------------------------------------------------===//
// Lists and blocks of rows
//===----------------------------------------------------------------------===//

def AmpRT_ListPushOp : AmpRT_Op<"list.push"> {
  let summary = "a list with one element more (amprt_list_push)";
  let description = [{ The element's value, of `bytes`, is still to be written. }];
  let arguments = (ins AmpRT_WorkerType:$worker, AmpRT_FrameType:$frame,
                       AmpRT_Pointer:$rest, I64Attr:$bytes);
  let results = (outs AmpRT_Pointer:$list);
  let assemblyFormat = "$worker `,` $frame `,` $rest `bytes` $bytes attr-dict";
}

def AmpRT_ListAtOp : AmpRT_Op<"list.at"> {
  let summary = "the list that ends with an element (amprt_list_at)";
  let description = [{ Element `index`, which is in range, counted from the first. }];
  let arguments = (ins AmpRT_Pointer:$list, I64:$index);
  let results = (outs AmpRT_Pointer:$element);
  let assemblyFormat = "$list `[` $index `]` attr-dict";
}

def AmpRT_ListStackOp : AmpRT_Op<"list.stack"> {
  let summary = "a list's elements as rows, and their number (amprt_list_stack)";
  let description = [{
    With `by_address` the value's first word says where an element lies; else it
    is in the words.
  }];
  let arguments = (ins AmpRT_WorkerType:$worker, AmpRT_FrameType:$frame,
                       AmpRT_Pointer:$list, I64Attr:$row_bytes,
                       UnitAttr:$by_address);
  let results = (outs AmpRT_Pointer:$data, I64:$rows);
  let assemblyFormat = [{
    $worker `,` $frame `,` $list `row_bytes` $row_bytes
    (`by_address` $by_address^)? attr-dict
  }];
}

def AmpRT_ConcatOp : AmpRT_Op<"concat"> {
  let summary = "the rows of many blocks as one (amprt_concat_rows)";
  let description = [{
    Address and number of the rows go to the words at `offset` of the frame.
  }];
  let arguments = (ins AmpRT_WorkerType:$worker, AmpRT_FrameType:$frame,
                       AmpRT_Pointer:$blocks, I64:$count, I64Attr:$row_bytes,
                       I64Attr:$offset);
  let assemblyFormat = [{
    $worker `,` $frame `,` $blocks `,` $count `row_bytes` $row_bytes
    `to` $offset attr-dict
  }];
}

#endif // AMPRT_TD
