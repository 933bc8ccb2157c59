# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with one synchronisation spoiled: what the simulator must notice.

Each mutant lacks one barrier, fence, arrival or wait, waits for one group too few, or has one
stage too many in a ring (whose end is a comparison with the number of stages). A mutant that
still runs without complaint and computes the right result is a survivor: either the
synchronisation is not needed for these inputs, or the simulator is too lenient.
"""

import copy
from dataclasses import replace
from typing import Iterator, Optional, Tuple

from .ptx import Instruction, Kernel

NOTHING = Instruction("(removed)", ("prefetch",), [])


def _without(instruction: Instruction) -> Tuple[str, Instruction]:
    return "without", NOTHING


def _fewer(instruction: Instruction) -> Tuple[str, Instruction]:
    left = int(instruction.operands[0]) + 1
    return "with one more in flight", replace(instruction, operands=[str(left)])


def _passed(instruction: Instruction) -> Tuple[str, Instruction]:
    return "without", Instruction("(removed)", ("mov", "pred"), [instruction.operands[0], "1"])


def _longer(instruction: Instruction) -> Optional[Tuple[str, Instruction]]:
    a, b, count = instruction.operands
    if not count.isdigit() or int(count) < 2:
        return None
    return "with one more in", replace(instruction, operands=[a, b, str(int(count) + 1)])


SPOILED = (
    (("setp", "eq", "b32"), _longer), (("mbarrier", "arrive"), _without),
    (("bar",), _without), (("fence",), _without), (("griddepcontrol", "wait"), _without),
    (("wgmma", "fence"), _without), (("wgmma", "wait_group"), _fewer),
    (("cp", "async", "wait_group"), _fewer), (("cp", "async", "bulk", "wait_group"), _fewer),
    (("mbarrier", "try_wait"), _passed))


def mutants(kernel: Kernel) -> Iterator[Tuple[str, Kernel]]:
    """Each with a description."""
    for at, instruction in enumerate(kernel.code):
        for prefix, spoil in SPOILED:
            made = spoil(instruction) if instruction.op[:len(prefix)] == prefix else None
            if made is not None:
                how, spoiled = made
                mutant = copy.copy(kernel)
                mutant.code = list(kernel.code)
                mutant.code[at] = spoiled
                yield f"{how} \"{instruction.text}\" ({at})", mutant
