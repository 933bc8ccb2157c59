# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a step of a bundle: its pack kernels where needed, then one variant."""

from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np

from flashfusion.runtime.manifest import Bundle, Launch, Step

from .floats import decode, encode
from .machine import Machine
from .memory import Buffer, GlobalMemory, TensorMap
from .ptx import Kernel, parse
from .reference import Case
from .shared import Fault

ITEM = {"f8E4M3FN": 1, "bf16": 2, "f16": 2, "f32": 4}


def poison(type_: str, shape: Sequence[int]) -> np.ndarray:
    return encode(type_, np.full(shape, np.nan, np.float32))


class Program:
    """The kernels of one step of a bundle."""

    def __init__(self, bundle: Bundle, step: Step, replace: Sequence[Tuple[str, str]] = ()):
        """`replace`: texts to exchange in the PTX first."""
        self.step = step
        text = bundle.ptx
        for old, new in replace:
            text = text.replace(old, new)
        self.kernels: Dict[str, Kernel] = parse(
            text, {launch.kernel for launch in step.variants + step.pack})


def random_case(step: Step, rows: int, norm: str, eps: float, tf32: bool = False, seed: int = 0,
                mean: float = 0.0, epilogue: str = "", outlier: float = 0.0) -> Case:
    """Inputs like those of a model: rows of different size; `outlier`, if not 0, begins them."""
    rng = np.random.default_rng(seed)
    inputs: Dict[str, List[np.ndarray]] = {}
    types: Dict[str, List[str]] = {}
    layouts = []
    for operand in step.operands:
        if operand.shape is None:
            continue
        shape = [rows if e is None else e for e in operand.shape]
        value = rng.standard_normal(shape)
        if operand.role == "x":
            value = value * np.exp(0.5 * rng.standard_normal((rows, 1))) + mean
            value = value * 30 if operand.type == "f8E4M3FN" else value
            if outlier:
                value[:, 0] = outlier
        elif operand.role == "x_scale":
            value = (0.5 + rng.random(shape)) / 30
        elif operand.role == "gain":
            value = 1 + 0.3 * value
        elif operand.role == "weight":
            layouts.append("nk" if shape[1] == step.k else "kn")
            # Those of 8 bits use their range, and a scale behind the sums brings them back.
            value = value * 100 if operand.type == "f8E4M3FN" else value / np.sqrt(step.k)
        elif operand.role == "column" and "f8E4M3FN" in types["weight"]:
            if len(inputs.get("column", [])) < len(layouts):
                value = (0.5 + rng.random(shape)) / (100 * np.sqrt(step.k))
        types.setdefault(operand.role, []).append(operand.type)
        inputs.setdefault(operand.role, []).append(
            poison(operand.type, shape) if operand.role == "out" else encode(operand.type, value))
    return Case(norm, eps, types["x"][0], layouts, inputs, types, tf32, epilogue)


class Run:
    """One call of a step: memory with poisoned results and packed buffers."""

    def __init__(self, program: Program, case: Case, offset: int = 0, blocks: int = 0,
                 schedule: int = 0):
        """`offset`: by how many elements buffers are off alignment; `blocks`: if not 0, at
        most so many where the grid has a cap; `schedule`: of the variant, see Machine."""
        self.program, self.case, self.blocks, self.schedule = program, case, blocks, schedule
        self.rows = len(case.inputs["x"][0])
        self.step = program.step
        self.memory = GlobalMemory()
        self.instructions = 0
        self.buffers: List[Optional[Buffer]] = []
        seen: Dict[str, int] = {}
        for operand in self.step.operands:
            if operand.shape is None:
                self.buffers.append(None)
                continue
            role = operand.role
            at = seen[role] = seen.get(role, -1) + 1
            self.buffers.append(self.memory.add(
                f"{role} {at}", case.inputs[role][at], offset * ITEM[operand.type],
                guarded=role in ("x", "out")))
        self.packed: List[Buffer] = [
            self.memory.add(f"packed {i}", poison(p.type, p.shape), 0)
            for i, p in enumerate(self.step.packed)]

    def _arg(self, arg, launch: Launch):
        if arg.kind == "rows":
            return self.rows
        if arg.kind == "buffer":
            return self.buffers[arg.index].address
        if arg.kind == "packed":
            return self.packed[arg.index].address
        if arg.kind == "scalar":
            return int(np.float32(self.case.eps).view(np.uint32))
        packed = arg.kind == "packed_map"
        of = self.step.packed[arg.index] if packed else self.step.operands[arg.index]
        buffer = self.packed[arg.index] if packed else self.buffers[arg.index]
        rows = self.rows if of.shape[0] is None else of.shape[0]
        return TensorMap(buffer, rows, of.shape[1], ITEM[of.type], arg.box)

    def _launch(self, launch: Launch, writable: List[Buffer], schedule: int = 0) -> None:
        kernel = self.program.kernels[launch.kernel]
        if kernel.threads != launch.block:
            raise Fault(f"{launch.kernel}: .maxntid and the launch differ")
        self.memory.launch(writable)
        grid = launch.blocks(self.rows)
        if launch.cap and self.blocks:
            grid = min(grid, self.blocks)
        machine = Machine(kernel, self.memory, [self._arg(a, launch) for a in launch.args], grid,
                          launch.shared_bytes, launch.dependent_launch, schedule, launch.cluster)
        if grid % launch.cluster:
            raise Fault(f"{launch.kernel}: {grid} blocks are no whole clusters")
        for block in range(0, grid, launch.cluster):
            machine.run(block)
        self.instructions += machine.instructions

    def pack(self) -> None:
        for launch in self.step.pack:
            self._launch(launch, self.packed)

    def run(self, variant: Launch) -> List[np.ndarray]:
        """The results in float64."""
        outs = [b for b, o in zip(self.buffers, self.step.operands) if o.role == "out"]
        self._launch(variant, outs, self.schedule)
        results = []
        for buffer, like, type_ in zip(outs, self.case.inputs["out"], self.case.types["out"]):
            if not buffer.written.all():
                raise Fault(f"{variant.kernel}: {int((~buffer.written).sum())} bytes of "
                            f"{buffer.name} were never written")
            results.append(decode(type_, buffer.array(like.dtype, like.shape)))
        return results
