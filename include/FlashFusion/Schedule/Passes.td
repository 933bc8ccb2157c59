//===- Passes.td - Schedule passes ------------------------------*- tablegen -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_SCHEDULE_PASSES_TD
#define FLASHFUSION_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def SchedulePass : Pass<"ff-schedule", "::mlir::ModuleOp"> {
  let summary = "Choose the kernel variants of every ff.online for a target";
  let description = [{
    Attaches `schedule = [#ff.schedule<...>, ...]` to every `ff.online`, in order
    of preference, such that every M is served and the last variant takes any
    pointer alignment; and `ff.target` to the module.

    With `batch-invariant` a row's bits do not depend on M as long as M is at most 64: one kernel
    serves these rows, whose schedules differ at most in how many rows a block takes, also where M is
    static. That holds among launches with pointers aligned to 16 bytes (others take the last
    variant) and either with or without packed weights. The module gets `ff.batch_invariant`.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"", "GPU to compile for, sm_80 or newer">,
    Option<"family", "family", "std::string", "\"\"",
           "use only this kernel family (decode, prefill, simt) where it can serve">,
    Option<"tf32", "tf32", "bool", "false",
           "f32 operands through tf32 tensor cores instead of exact f32 arithmetic">,
    Option<"tuning", "tuning", "std::string", "\"\"",
           "file with measured schedules (docs/python.md), which come before the proposed ones">,
    Option<"batchInvariant", "batch-invariant", "bool", "false",
           "one kernel for 1 to 64 rows: a row's bits do not depend on their number">];
  let dependentDialects = ["::mlir::flashfusion::FFDialect"];
}

#endif // FLASHFUSION_SCHEDULE_PASSES_TD
