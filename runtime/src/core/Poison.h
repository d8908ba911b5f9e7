//===- Poison.h - Memory that nobody may touch ------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AMPRT_POISON(start, bytes), AMPRT_UNPOISON(start, bytes): under the address
// sanitizer, touching the memory between them is an error. Else they are
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_POISON_H
#define AMPRT_SRC_CORE_POISON_H

#if defined(__SANITIZE_ADDRESS__)
#define AMPRT_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define AMPRT_POISONS 1
#endif
#endif

#ifdef AMPRT_POISONS
#include <sanitizer/asan_interface.h>
#define AMPRT_POISON(start, bytes) ASAN_POISON_MEMORY_REGION(start, bytes)
#define AMPRT_UNPOISON(start, bytes) ASAN_UNPOISON_MEMORY_REGION(start, bytes)
#else
#define AMPRT_POISON(start, bytes) ((void)0)
#define AMPRT_UNPOISON(start, bytes) ((void)0)
#endif

#endif // AMPRT_SRC_CORE_POISON_H
