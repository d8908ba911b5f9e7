//===- Actions.h - What a frame does when its events have happened -*- C++
//-*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An action fires once, when the last event that it needs happens. Handlers
// (Handlers.cpp) find out which; what an action does is emitted here.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_ACTIONS_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_ACTIONS_H

#include "FrameCode.h"
#include "Lifetimes.h"

#include <functional>
#include <vector>

namespace amp {

struct Action {
  EventSet need;     ///< Always with the start.
  EventSet produces; ///< Events of this frame that it may mark itself.
  mlir::Location loc;
  /// Emits it into a function of its own; `depth` of what it needs.
  std::function<void(FrameCode &, mlir::Value depth)> emit;
};

/// The actions of a body, so that each stands behind those whose marks it
/// needs.
std::vector<Action> collectActions(const Bodies &bodies, const Body &body,
                                   const Lifetimes &lifetimes);

/// Of loops (ActionsOfLoops.cpp).
void addLoop(std::vector<Action> &actions, const Bodies &bodies,
             const Body &body, LoopOp loop);
void addNext(std::vector<Action> &actions, const Bodies &bodies,
             const Body &body, NextOp next);
/// Of maps and flatmaps (ActionsOfMaps.cpp).
void addMap(std::vector<Action> &actions, const Bodies &bodies,
            const Body &body, mlir::Operation *map);
void addMapYield(std::vector<Action> &actions, const Bodies &bodies,
                 const Body &body, YieldOp yield);

/// Gives the activation of a call an argument that comes later than its start.
void addLateInput(std::vector<Action> &actions, const Bodies &bodies,
                  const Body &body, CallOp call, unsigned number,
                  mlir::Value input);
/// Of the backward half of a call, loop or map, and of what bodies of the latter
/// give it (ActionsOfGradients.cpp).
void addBackward(std::vector<Action> &actions, const Bodies &bodies,
                 const Body &body, BackwardOp backward);
void addAdjoints(std::vector<Action> &actions, const Body &body);

/// Gives rows back that nothing reads any more (Lifetimes.cpp). They stand last: a
/// copy that the same event brings about comes before.
void addEndings(std::vector<Action> &actions, const Body &body,
                const Lifetimes &lifetimes);

/// The members of one class.
llvm::SmallVector<unsigned> membersOf(const Classes &classes, unsigned number);

/// `events` and the start.
EventSet withStart(EventSet events);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_ACTIONS_H
