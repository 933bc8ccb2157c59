//===- Main.cpp - ff-run ---------------------------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ff-run.h"

int main(int argc, char **argv) { return ffrun::main(argc, argv); }
