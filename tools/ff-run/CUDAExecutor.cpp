//===- CUDAExecutor.cpp - Programs on a CUDA device ------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Executor.h"

// This build has no CUDA runtime; callers report that to the user.
std::unique_ptr<ffrun::Executor> ffrun::createCUDAExecutor() { return nullptr; }
