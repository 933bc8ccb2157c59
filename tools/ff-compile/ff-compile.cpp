//===- ff-compile.cpp - The compiler that travels ---------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Library.h"

int main(int argc, char **argv) { return ffMain(argc, argv); }
