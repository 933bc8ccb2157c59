# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pass that puts fused regions into Inductor's graph."""

import concurrent.futures
import fnmatch
import math
import operator
import os
import warnings
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

import torch
from torch._inductor import config
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch.fx import Graph, Node

from .. import _compiler, cache
from ..runtime import BundleError, driver
from ..runtime.manifest import ITEM_SIZE, Launch, Step
from . import cost, emit, importer, op, region
from .numerics import Reference
from .region import NotFused, Region, value_of


class Options(NamedTuple):
    """Of the backend: torch.compile(..., options={...}).

    flashfusion.disable: patterns of module paths whose Linears are left to Inductor, as
        "layers.0.*".
    flashfusion.packed: let kernels use packed copies of weights (docs/python.md), which double
        the weights' memory, and for some norms is the fast way for many rows. A number is a
        budget in MiB for each graph.
    flashfusion.plain: take Linears without a norm, too, where the number of rows is known and a
        decode kernel serves it.
    flashfusion.attention: read keys and values that heads share once, where there is one token per
        sequence (attention.py).
    flashfusion.importer: who writes regions as linalg, "own" or "torch-mlir", where it is installed
        (what it cannot write, ours does).
    flashfusion.always: fuse where no gain is predicted (cost.py), too.
    flashfusion.cpu: fuse on the host, too. It is slower there than Inductor: for tests."""
    disable: Sequence[str] = ()
    packed: Union[bool, float] = False
    cpu: bool = False
    plain: bool = True
    always: bool = False
    attention: bool = True
    importer: str = "own"


class Record(NamedTuple):
    """What became of a norm and its Linears, or of a Linear alone."""
    modules: List[str]
    widths: List[int]
    k: int
    fused: bool
    kind: str        # rms_norm, layer_norm, .. where fused, or left for want of a gain
    reason: str      # why not, where it is not
    message: str
    kernel: str      # for the rows at hand
    row_bytes: int   # that need not be moved, per row
    launches: int    # that are saved, if Inductor makes one kernel of the norm, one of the tail
    tail: bool = False  # an activation, a gate, a residual sum is in the kernel
    program: str = ""   # what the compiler was given
    reference: Optional[Reference] = None


#: What torch-mlir makes of programs of ours.
_imported: Dict[str, str] = {}
#: Programs that the compiler has refused.
_refused: Dict[str, _compiler.CompileError] = {}


class FusePass(CustomGraphPass):
    """Runs after decomposition, before Inductor fuses what is left."""

    def __init__(self, options: Options, records: Optional[List[Record]] = None,
                 behind: Optional[Any] = None, combines: bool = False) -> None:
        self.options, self.records, self.behind = options, records, behind
        self.combines = combines

    def uuid(self) -> Optional[Any]:
        """Of what the pass does, for the key of Inductor's cache."""
        identity = "none"
        try:
            identity = _compiler.identity()
        except _compiler.CompilerMissing:
            pass
        uuid = getattr(self.behind, "uuid", None)
        behind = uuid() if uuid else repr(self.behind)
        return cache.key_of(identity, repr(self.options), repr(behind), repr(self.combines))

    def __call__(self, graph: Graph) -> None:
        if self.behind is not None:
            self.behind(graph)
        if self.combines:
            config.combo_kernels = _few_rows(graph)
        limited = self.options.packed is not True
        self.packed_left = float(self.options.packed) * 2**20 if limited else float("inf")
        try:
            regions, declined = region.find(graph, self.options.plain)
        except Exception as error:  # a fault of ours must not fail the model
            warnings.warn(f"flashfusion: nothing is fused: {error!r}")
            return
        for node, why in declined:
            self.record([node], why)
        if self.records is not None:
            for node in region.other_norms(graph, regions, [n for n, _ in declined]):
                k = region.shape_of(node.args[0])[-1]
                self.records.append(Record([_module_of(node)], [], k, False, "", "no-linear",
                                           "no Linear reads it alone", "", 0, 0))
        try:
            self.prepare(regions)
        except Exception:  # met again where the region's turn comes
            pass
        self.replaced: Set[Node] = set()
        for found in regions:
            nodes = [linear.node for linear in found.linears]
            try:
                self.fuse(graph, found)
            except NotFused as why:
                self.record(nodes, why)
            except _compiler.CompilerMissing as error:
                self.record(nodes, NotFused("no-compiler", str(error)))
            except driver.CudaError as error:
                self.record(nodes, NotFused("no-driver", str(error)))
        graph.eliminate_dead_code()
        graph.lint()

    def weigh(self, found: Region, variant: Launch, kind: str) -> None:
        """NotFused where Inductor and cuBLAS are predicted to be faster by more than the
        prediction's error. Graphs for any number of rows are for few rows, too."""
        rows = math.prod(region.shape_of(found.linears[0].node)[:-1])
        if not isinstance(rows, int):
            return
        ours, theirs = cost.predict(found, variant, rows)
        if ours > 1.05 * theirs:
            raise NotFused("no-gain", f"{rows} rows take {ours:.0f} us, predicted, and "
                           f"{theirs:.0f} with Inductor", kind)

    def record(self, nodes: List[Node], why: NotFused) -> None:
        if self.records is None:
            return
        self.records.append(Record(
            [_module_of(n) for n in nodes], [region.shape_of(n)[-1] for n in nodes],
            region.shape_of(region.left_of(nodes[0]))[-1], False, why.kind, why.reason, str(why), "",
            0, 0))

    def prepare(self, regions: List[Region]) -> None:
        """Compiles what the regions need, side by side: the compiler is a process of its own,
        and the driver's, which makes machine code of PTX, lets other threads run. What fails is
        met again, and recorded, where the region's turn comes."""
        jobs: Dict[Any, Region] = {}
        for found in regions:
            try:
                self.check(found)
                jobs.setdefault((value_of(found.x).device, self.program_key(found)), found)
            except NotFused:
                continue

        def build(found: Region) -> None:
            for way in _ways(found):
                try:
                    self.compile(self.emit(way), way)
                    return
                except (NotFused, _compiler.CompilerMissing, driver.CudaError):
                    continue

        if len(jobs) > 1:
            with concurrent.futures.ThreadPoolExecutor(min(len(jobs), os.cpu_count() or 1)) as pool:
                list(pool.map(build, jobs.values()))

    def emit(self, found: Region) -> str:
        """The region's program."""
        text = emit.emit(found)
        if self.options.importer == "own":
            return text
        if text not in _imported:
            try:
                _imported[text] = importer.import_region(found)
            except Exception:  # of another package, in whatever it cannot do
                _imported[text] = text
        return _imported[text]

    def program_key(self, found: Region) -> Tuple[str, ...]:
        """Equal for regions that need the same programs."""
        texts = []
        for way in _ways(found):
            try:
                texts.append(self.emit(way))
            except NotFused as why:
                texts.append(why.reason)
        return tuple(texts)

    def check(self, found: Region) -> None:
        """NotFused for a region that is to be left alone, whatever the compiler says."""
        for linear in found.linears:
            module = _module_of(linear.node)
            if any(fnmatch.fnmatch(module, pattern) for pattern in self.options.disable):
                raise NotFused("disabled", f"{module} is left out by an option")
        self.check_uses(found)

    def fuse(self, graph: Graph, found: Region) -> None:
        self.check(found)
        if not self.replaced.isdisjoint(found.nodes):
            raise NotFused("overlaps", "a part of it is in another kernel")
        try:
            found, text, (kind, variant, step) = self.build(found)
        except (NotFused, _compiler.CompilerMissing, driver.CudaError):
            raise
        except Exception as error:  # a fault of ours must not fail the model
            warnings.warn(f"flashfusion: a norm is not fused: {error!r}")
            raise NotFused("internal", repr(error)) from error
        kernel = variant.kernel if variant else "host"
        if variant and found.nodes and not self.options.always:
            self.weigh(found, variant, kind)
        if step and variant and variant.packed:
            self.pay(step)
        modules = [_module_of(linear.node) for linear in found.linears]
        reference = Reference(found) if self.records is not None else None
        self.replace(graph, found, text)
        if self.records is not None:
            size, readers = value_of(found.x).element_size(), len(found.linears)
            k, widths = region.shape_of(found.norm)[-1], [l.width for l in found.linears]
            # The norm's result, written once and read by every Linear but one read of x; the
            # Linears' results, written and read, where the tail is in the kernel.
            saved = k * size * (1 + readers) if found.nodes else 0
            saved += sum(widths) * size * 2 if found.tail else 0
            launches = readers - 1 + bool(found.nodes) + bool(found.tail)
            self.records.append(Record(modules, widths, k, True, kind, "", "", kernel, saved,
                                       launches, found.tail is not None, text, reference))

    def build(self, found: Region) -> \
            Tuple[Region, str, Tuple[str, Optional[Launch], Optional[Step]]]:
        """The way that the compiler and a kernel serve: region, program, what `compile` says."""
        *ways, last = _ways(found)
        for way in ways:
            try:
                text = self.emit(way)
                return way, text, self.compile(text, way)
            except NotFused:
                continue
        text = self.emit(last)
        return last, text, self.compile(text, last)

    @staticmethod
    def check_uses(found: Region) -> None:
        """The norm must not be computed for others besides: then nothing would be saved."""
        inside = set(found.nodes) | set(found.views) | {l.node for l in found.linears}
        for linear in found.linears:
            view = region.left_of(linear.node)
            while view is not found.norm:
                inside.add(view)
                view = region.args_of(view)[0]
        for node in found.nodes:
            if found.kinds[node] == "column" or \
                    region.name_of(node) in region.CASTS and node.args[0] is found.x:
                continue  # as x itself, or a gain: no rows
            for user in node.users:
                if user not in inside and _is_used(user, inside):
                    raise NotFused("escapes", f"{user.name} reads {node.name}, too")

    def compile(self, text: str, found: Region) \
            -> Tuple[str, Optional[Launch], Optional[Step]]:
        """The norm's kind and the kernel for the rows at hand (None on the host), and its step.
        NotFused if the compiler does not fuse the program, or has no fast kernel."""
        device = value_of(found.x).device
        if device.type == "cpu" and not self.options.cpu:
            raise NotFused("cpu", "on the host Inductor's kernels are faster")
        program, bundle = op.program_of(text, self.packs(found)), None
        try:
            if text in _refused:  # as in every other layer
                raise _refused[text]
            if device.type == "cpu":
                program.host()
            else:  # now, so that kernels which the driver refuses are met here
                bundle = program.bundle(driver.chip_of(device.index or 0))
                bundle.prepare(device.index or 0)
        except _compiler.CompileError as error:
            _refused[text] = error
            why = _declined(error.remarks) or {"reason": "compiler" if found.nodes else "no-norm"}
            raise NotFused(why["reason"], str(error)) from None
        remarks = program.remarks()
        kinds = [r["args"].get("kind", "linear") for r in remarks if r["outcome"] == "Passed"
                 and r["name"] in ("norm_linear", "plain_linear")]
        if found.nodes and ("linear" in kinds or not kinds):
            why = _declined(remarks) or {"reason": "not-a-norm"}
            raise NotFused(why["reason"], why.get("message", why["reason"]))
        kinds = kinds or ["linear"]  # the host has no kernel for one
        if bundle is None:
            return kinds[0], None, None
        return (kinds[0], *self.kernel_for(bundle, found))

    def kernel_for(self, bundle: Any, found: Region) -> Tuple[Launch, Step]:
        rows = _hint(math.prod(region.shape_of(found.linears[0].node)[:-1]))
        function = bundle.only()
        if len(function.info.steps) != 1:
            raise NotFused("several-kernels", "the Linears need several launches")
        try:
            step = function.info.steps[0]
            variant = step.choose(rows, 0, self.packs(found))
        except BundleError:
            raise NotFused("needs-packed-weights", f"for {rows} rows every kernel needs packed "
                           "weights; " + ("gain or weights are computed in the graph"
                                          if self.options.packed else
                                          "see the option flashfusion.packed")) from None
        if value_of(found.x).element_size() == 2 and "simt" in variant.kernel:
            raise NotFused("no-fast-kernel", f"for {rows} rows only a kernel without tensor cores "
                           "serves it" + ("" if self.packs(found) else " with unpacked weights"))
        computed = _computed_weight(found)
        if computed is not None and step.packed and \
                not isinstance(region.shape_of(found.linears[0].node)[0], int):
            raise NotFused("computed-weights", f"some numbers of rows need packed weights, and "
                           f"{computed.name} would be packed in every call")
        if not found.nodes and "decode" not in variant.kernel:
            raise NotFused("no-norm", "reads no norm, and there are many rows")
        return variant, step

    def packs(self, found: Region) -> bool:
        return bool(self.options.packed) and _computed_weight(found) is None

    def pay(self, step: Step) -> None:
        """Takes the step's packed weights off the budget."""
        size = sum(math.prod(e or 0 for e in b.shape or ()) * ITEM_SIZE[b.type]
                   for b in step.packed)
        if size > self.packed_left:
            raise NotFused("packed-budget", f"{size} bytes of packed weights are too many")
        self.packed_left -= size

    def replace(self, graph: Graph, found: Region, text: str) -> None:
        """The operator in front of the first Linear. What it computes keeps its nodes, as views
        of the results, so that other regions that mention them stay true."""
        first, tail = found.linears[0].node, found.tail
        values = ([value_of(l.node) for l in found.linears] if tail is None else
                  [value_of(first).to(value_of(tail.result).dtype)])
        with graph.inserting_before(first):
            x = found.x
            for view in found.views:
                old = value_of(x)
                target: Any = view.target
                x = graph.call_function(target, (x, *view.args[1:]), dict(view.kwargs))
                x.meta["val"] = value_of(view).to(old.dtype)
            operands: List[Node] = []
            for node in emit.operands_of(found):
                if tail is not None and node in tail.tiles and len(region.shape_of(node)) != 2:
                    flat = graph.call_function(torch.ops.aten.view.default,
                                               (node, [-1, found.linears[0].width]))
                    flat.meta["val"] = value_of(node).view(-1, found.linears[0].width)
                    node = flat
                operands.append(node)
            fused = graph.call_function(op.fused, (
                x, operands, text, [v.shape[1] for v in values], values[0].dtype,
                self.packs(found), _is_computed(found.x)))
            fused.meta["val"] = values
            results = []
            for i, value in enumerate(values):
                results.append(graph.call_function(operator.getitem, (fused, i)))
                results[-1].meta["val"] = value
        self.replaced |= {l.node for l in found.linears} if tail is None else {tail.result}
        if tail is None:
            for linear, result in zip(found.linears, results):
                _become(linear.node, torch.ops.aten.alias.default, (result,))
        elif tail.shape is None or len(tail.shape) == 2:
            _become(tail.result, torch.ops.aten.alias.default, (results[0],))
        else:
            _become(tail.result, torch.ops.aten.view.default, (results[0], list(tail.shape)))


def _few_rows(graph: Graph) -> bool:
    """Whether kernels are small. Inductor's combo kernels, of several that do not depend on each
    other, then save launches; large ones are slower together."""
    rows = [_hint(region.shape_of(n)[0]) for n in graph.nodes
            if region.name_of(n) in region.LINEARS]
    return bool(rows) and max(rows) <= emit.FEW_ROWS


def _ways(found: Region) -> List[Region]:
    """The region with what follows, and without; with what its gain is computed from, and with the
    gain."""
    ways = [found] if found.tail is None else [found, found._replace(tail=None)]
    outside = [region.vectors_outside(way) for way in ways]
    return ways if outside[0] is found else [w for pair in zip(ways, outside) for w in pair]


def _declined(remarks: Sequence[Dict[str, Any]]) -> Optional[Dict[str, Any]]:
    """The first reason for which ff-raise left something alone."""
    return next((r["args"] for r in remarks
                 if r["outcome"] == "Missed" and r["name"] == "declined"), None)


def _become(node: Node, target: Any, arguments: Any) -> None:
    node.target, node.args, node.kwargs = target, arguments, {}


def _is_computed(node: Node) -> bool:
    """Whether a kernel of this graph computes a node: then what runs right before its reader
    cannot be somebody's update of weights (see op.py)."""
    while region.name_of(node) in region.ROW_VIEWS:
        node = region.args_of(node)[0]
    return node.op == "call_function"


def _computed_weight(found: Region) -> Optional[Node]:
    """A gain, shift or weight that the graph computes: new in every call."""
    return next((n for n in [*found.columns, *(l.weight for l in found.linears)]
                 if _is_computed(n)), None)


def _is_used(node: Node, inside: "set[Node]") -> bool:
    """False for what only feeds the region's own Linears, by views."""
    if node in inside:
        return False
    return node.op == "output" or not node.users or any(_is_used(u, inside) for u in node.users)


def _module_of(node: Node) -> str:
    """The path of the module that a node came from, as model.layers.0.mlp.up_proj."""
    stack = node.meta.get("nn_module_stack") or {}
    path = list(stack.values())[-1][0] if stack else ""
    path = str(path).replace("L['self'].", "").replace("['", ".").replace("']", "")
    path = path.replace("[", ".").replace("]", "").replace("._modules", "")
    return path or node.name


def _hint(value: Any) -> int:
    if isinstance(value, int):
        return value
    try:
        return int(value.node.hint)
    except (AttributeError, TypeError, ValueError):
        return 1
