//===- ff-run.h - The tool as a function ---------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_FF_RUN_H
#define FF_RUN_FF_RUN_H

namespace ffrun {

/// The command line of ff-run; ff-compile has it, too.
int main(int argc, char **argv);

} // namespace ffrun

#endif // FF_RUN_FF_RUN_H
