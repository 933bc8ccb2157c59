# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs emitted kernels on the host and compares their results with float64.

    emulate.py WORKDIR CXX CHIP FAMILY CASE...

The kernels' LLVM IR, as it would go to the NVPTX backend, is compiled for the
host instead, with the NVVM intrinsics calling emulator.cpp. Buffers end (or
start) at pages that cannot be touched, outputs and shared memory start as NaN,
and a row must have the same bits for every number of rows.
"""
import ctypes
import math
import mmap
import os
import random
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FEATURES = {"sm_80": ("+ptx80", 108, 166912), "sm_90": ("+ptx83", 132, 232448),
            "sm_90a": ("+ptx83", 132, 232448)}
CAP = {"f32": 1e-6, "f16": 5e-4, "bf16": 4e-3}
SIZE = {"f32": 4, "f16": 2, "bf16": 2}

# Bodies of intrinsics. Aggregates travel through memory.
RUNTIME = """
declare i32 @emu_tid()
declare i32 @emu_cta()
declare i32 @emu_ctas()
declare void @emu_barrier(i32, i32)
declare void @emu_together(i32, ptr)
declare void @emu_copy(ptr, ptr, i32, i32)
declare void @emu_commit()
declare void @emu_wait(i32)
declare void @emu_mbarrier_init(ptr, i32)
declare void @emu_mbarrier_expect(ptr, i32)
declare void @emu_mbarrier_wait(ptr, i32)
declare void @emu_bulk(ptr, ptr, ptr, i32)
declare float @emu_sqrt(float)
declare float @emu_rsqrt(float)
define i32 @nvvm.read.ptx.sreg.tid.x() { %r = call i32 @emu_tid()
  ret i32 %r }
define i32 @nvvm.read.ptx.sreg.ctaid.x() { %r = call i32 @emu_cta()
  ret i32 %r }
define i32 @nvvm.read.ptx.sreg.nctaid.x() { %r = call i32 @emu_ctas()
  ret i32 %r }
define void @nvvm.barrier.cta.sync.aligned.all(i32 %id) { call void @emu_barrier(i32 %id, i32 0)
  ret void }
define void @nvvm.barrier.cta.sync.aligned.count(i32 %id, i32 %n) {
  call void @emu_barrier(i32 %id, i32 %n)
  ret void }
define void @nvvm.bar.warp.sync(i32 %mask) { call void @emu_together(i32 0, ptr null)
  ret void }
define float @nvvm.sqrt.rn.f(float %x) { %r = call float @emu_sqrt(float %x)
  ret float %r }
define float @nvvm.rsqrt.approx.f(float %x) { %r = call float @emu_rsqrt(float %x)
  ret float %r }
define void @nvvm.griddepcontrol.launch.dependents() { ret void }
define void @nvvm.griddepcontrol.wait() { ret void }
define void @nvvm.fence.mbarrier_init.release.cluster() { ret void }
define void @nvvm.fence.proxy.async.shared_cta() { ret void }
define void @nvvm.mbarrier.init.shared(ptr %b, i32 %n) {
  call void @emu_mbarrier_init(ptr %b, i32 %n)
  ret void }
define i64 @nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr %b, i32 %n) {
  call void @emu_mbarrier_expect(ptr %b, i32 %n)
  ret i64 0 }
define i64 @nvvm.mbarrier.arrive.shared(ptr %b) {
  call void @emu_mbarrier_expect(ptr %b, i32 0)
  ret i64 0 }
define void @mbarrier_wait(ptr %b, i32 %parity, i32 %ticks) {
  call void @emu_mbarrier_wait(ptr %b, i32 %parity)
  ret void }
define void @nvvm.cp.async.bulk.global.to.shared.cluster(ptr %d, ptr %b, ptr %s, i32 %n, i16, i64, i1, i1) {
  call void @emu_bulk(ptr %d, ptr %b, ptr %s, i32 %n)
  ret void }
define void @nvvm.cp.async.commit.group() { call void @emu_commit()
  ret void }
define void @nvvm.cp.async.wait.group(i32 %n) { call void @emu_wait(i32 %n)
  ret void }
"""


def define(result, name, params, body):
    return f"define {result} @{name}({params}) {{\n{body}}}\n"


def runtime():
    text = RUNTIME
    for kind, op in (("bfly", 1), ("idx", 2)):
        for suffix, type in (("f32", "float"), ("i32", "i32")):
            text += define(type, f"nvvm.shfl.sync.{kind}.{suffix}",
                           f"i32 %mask, {type} %v, i32 %lane, i32 %clamp", f"""
  %p = alloca [2 x i32]
  store {type} %v, ptr %p
  %q = getelementptr i32, ptr %p, i32 1
  store i32 %lane, ptr %q
  call void @emu_together(i32 {op}, ptr %p)
  %r = load {type}, ptr %p
  ret {type} %r
""")
    for cache in ("ca", "cg"):
        for size in (4, 8, 16):
            name = f"nvvm.cp.async.{cache}.shared.global.{size}"
            copy = f"  call void @emu_copy(ptr %d, ptr %s, i32 {size}, i32 %n)\n  ret void\n"
            text += define("void", name, "ptr %d, ptr %s", copy.replace("%n", str(size)))
            text += define("void", name + ".s", "ptr %d, ptr %s, i32 %n", copy)
    for trans, flag in (("", 0), (".trans", 1)):
        for count in (1, 2, 4):
            words = ", ".join(["i32"] * count)
            body = f"""
  %p = alloca [32 x i8], align 8
  store ptr %a, ptr %p
  %c = getelementptr i8, ptr %p, i32 8
  store i32 {count}, ptr %c
  %t = getelementptr i8, ptr %p, i32 12
  store i32 {flag}, ptr %t
  %x = getelementptr i8, ptr %p, i32 16
"""
            load = body + "  call void @emu_together(i32 3, ptr %p)\n"
            type = "i32" if count == 1 else "{ " + words + " }"
            text += define(type, f"nvvm.ldmatrix.sync.aligned.m8n8.x{count}{trans}.b16.p3",
                           "ptr %a", load + f"  %r = load {type}, ptr %x\n  ret {type} %r\n")
            store = body
            for i in range(count):
                store += f"  %x{i} = getelementptr i32, ptr %x, i32 {i}\n"
                store += f"  store i32 %v{i}, ptr %x{i}\n"
            params = "ptr %a, " + ", ".join(f"i32 %v{i}" for i in range(count))
            text += define("void", f"nvvm.stmatrix.sync.aligned.m8n8.x{count}{trans}.b16.p3",
                           params, store + "  call void @emu_together(i32 4, ptr %p)\n  ret void\n")
    for name, type, op in (("m16n8k16.row.col.f32.f32", "<2 x half>", 5),
                           ("m16n8k16.row.col.bf16", "i32", 6),
                           ("m16n8k8.row.col.tf32", "i32", 7)):
        params = ", ".join(f"{type if i < 6 else 'float'} %v{i}" for i in range(10))
        body = "\n  %p = alloca [10 x i32]\n"
        for i in range(10):
            body += f"  %x{i} = getelementptr i32, ptr %p, i32 {i}\n"
            body += f"  store {type if i < 6 else 'float'} %v{i}, ptr %x{i}\n"
        four = "{ float, float, float, float }"
        text += define(four, "nvvm.mma." + name, params, body + f"""
  call void @emu_together(i32 {op}, ptr %p)
  %r = load {four}, ptr %x6
  ret {four} %r
""")
    return text


def run(command, data=None):
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{done.stderr.decode()[:3000]}")
    return done.stdout


# Numbers as the kernels store them.

def encode(type, values):
    if type == "f32":
        return struct.pack(f"{len(values)}f", *values)
    if type == "f16":
        return struct.pack(f"{len(values)}e", *values)
    words = []
    for word in struct.unpack(f"{len(values)}I", struct.pack(f"{len(values)}f", *values)):
        words.append((word + 0x7fff + (word >> 16 & 1)) >> 16)
    return struct.pack(f"{len(values)}H", *words)


def decode(type, data):
    if type == "bf16":
        words = struct.unpack(f"{len(data) // 2}H", data)
        return struct.unpack(f"{len(words)}f", struct.pack(f"{len(words)}I",
                                                           *(w << 16 for w in words)))
    return struct.unpack(f"{len(data) // SIZE[type]}{'f' if type == 'f32' else 'e'}", data)


class Buffer:
    """Memory that ends (or starts) where nothing may be touched."""

    def __init__(self, data, align, front):
        page = mmap.PAGESIZE
        body = -(-len(data) // page) * page
        self.map = mmap.mmap(-1, body + 2 * page)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.map))
        protect = ctypes.CDLL(None).mprotect
        protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        protect(start, page, 0)
        protect(start + page + body, page, 0)
        self.size = len(data)
        offset = 0 if front else (body - self.size) // align * align
        self.pointer = start + page + offset
        ctypes.memmove(self.pointer, data, self.size)

    def bytes(self):
        return ctypes.string_at(self.pointer, self.size)


class Case:
    """An ff.online: linears (N, layout, type), outputs (type, linears), columns
    (output, type). An output is the product of its Linears' z, plus its columns."""

    def __init__(self, k, norm, x, linears, outs=None, gain=None, shift=None, offset=0.0,
                 columns=(), rows=(1, 4, 13, 16, 40, 70), sms=None):
        self.k, self.norm, self.x, self.linears = k, norm, x, linears
        self.outs = outs or [(x, [i]) for i in range(len(linears))]
        self.gain, self.shift, self.offset = gain, shift, offset
        self.columns, self.rows = columns, rows
        # Multiprocessors, if not the chip's: with few of them, a block has much to do.
        self.sms = sms

    def out_n(self, out):
        return self.linears[self.outs[out][1][0]][0]

    def operands(self):
        k = self.k
        yield "x", f"memref<?x{k}x{self.x}>"
        if self.gain:
            yield "g", f"memref<{k}x{self.gain}>"
        if self.shift:
            yield "s", f"memref<{k}x{self.shift}>"
        for i, (n, layout, type) in enumerate(self.linears):
            shape = f"{n}x{k}" if layout == "nk" else f"{k}x{n}"
            yield f"w{i}", f"memref<{shape}x{type}>"
        for i, (out, type) in enumerate(self.columns):
            yield f"c{i}", f"memref<{self.out_n(out)}x{type}>"
        for i, (type, _) in enumerate(self.outs):
            yield f"y{i}", f"memref<?x{self.out_n(i)}x{type}>"

    def mlir(self):
        operands = list(self.operands())

        def group(letter):
            return ", ".join(f"%{n}" for n, _ in operands if n[0] == letter)

        text = "func.func @f(" + ", ".join(f"%{n}: {t}" for n, t in operands) + ") {\n"
        text += "ff.online(%x)" + (" gain(%g)" if self.gain else "")
        text += (" shift(%s)" if self.shift else "") + f" weights({group('w')})"
        text += f" columns({group('c')})" if self.columns else ""
        statistics = {"rms": ["mean_square"], "layer": ["mean", "variance"], "none": []}[self.norm]
        linears_of = ", ".join("array<i64: " + ", ".join(map(str, ls)) + ">" for _, ls in self.outs)
        column_of = ": " + ", ".join(str(o) for o, _ in self.columns) if self.columns else ""
        text += f""" outs({group('y')}) {{
  statistics = [{", ".join(f"#ff.statistic<{s}>" for s in statistics)}],
  layouts = [{", ".join(f"#ff.layout<{l[1]}>" for l in self.linears)}],
  gain_offset = {self.offset:e}, column_of = array<i64{column_of}>, linears_of = [{linears_of}]}}
  : ({", ".join(t for _, t in operands)}) -> ()
row {{\n"""
        if self.norm == "none":
            text += "ff.yield\n"
        else:
            names = ", ".join(f"%t{i}: f32" for i in range(len(statistics)))
            text += f"""^bb0({names}):
  %eps = arith.constant 1.0e-5 : f32
  %v = arith.addf %t{len(statistics) - 1}, %eps : f32
  %r = math.rsqrt %v : f32
  ff.yield {"%r, %t0 : f32, f32" if self.norm == "layer" else "%r : f32"}\n"""
        text += "} finalize "
        for o, (type, linears) in enumerate(self.outs):
            columns = [(i, t) for i, (out, t) in enumerate(self.columns) if out == o]
            names = [f"%z{j}: f32" for j in range(len(linears))] + [f"%b{i}: {t}" for i, t in columns]
            text += (", " if o else "") + "{\n^bb0(" + ", ".join(names) + "):\n"
            value = "%z0"
            for j in range(1, len(linears)):
                text += f"  %p{j} = arith.mulf {value}, %z{j} : f32\n"
                value = f"%p{j}"
            for i, t in columns:
                wide = f"%b{i}"
                if t != "f32":
                    text += f"  %e{i} = arith.extf %b{i} : {t} to f32\n"
                    wide = f"%e{i}"
                text += f"  %a{i} = arith.addf {value}, {wide} : f32\n"
                value = f"%a{i}"
            if type != "f32":
                text += f"  %n = arith.truncf {value} : f32 to {type}\n"
                value = "%n"
            text += f"  ff.yield {value} : {type}\n}}"
        return text + "\nreturn\n}\n"

    def data(self, rng):
        """Operands as bytes, weights as N x K and as they lie, and the reference."""
        k, rows = self.k, max(self.rows)
        gauss = rng.gauss
        x = []
        for row in range(rows):
            values = [gauss(0, 1) for _ in range(k)]
            if row % 6 == 1:
                values = [v + 100 for v in values]
            if row % 6 == 2:
                values = [0.0] * k
            if row % 6 == 3:
                values[0] = 1e4
            if row % 6 == 4:
                largest = max(map(abs, values))
                values = [v * 60000 / largest for v in values]
            if row % 6 == 5:
                values = [v * 1e-3 for v in values]
            x += values
        parts = {"x": encode(self.x, x)}
        if self.gain:
            parts["g"] = encode(self.gain, [gauss(1 - self.offset, 0.3) for _ in range(k)])
        if self.shift:
            parts["s"] = encode(self.shift, [gauss(0, 1) for _ in range(k)])
        weights = []
        for i, (n, layout, type) in enumerate(self.linears):
            w = [gauss(0, 1 / math.sqrt(k)) for _ in range(n * k)]
            weights.append(decode(type, encode(type, w)))
            if layout == "kn":
                w = [w[j * k + i] for i in range(k) for j in range(n)]
            parts[f"w{i}"] = encode(type, w)
        for i, (out, type) in enumerate(self.columns):
            parts[f"c{i}"] = encode(type, [gauss(0, 1) for _ in range(self.out_n(out))])
        return parts, self.reference(parts, weights)

    def reference(self, parts, weights):
        k = self.k
        x = decode(self.x, parts["x"])
        gain = [v + self.offset for v in decode(self.gain, parts["g"])] if self.gain else [1.0] * k
        shift = decode(self.shift, parts["s"]) if self.shift else [0.0] * k
        columns = [decode(t, parts[f"c{i}"]) for i, (_, t) in enumerate(self.columns)]
        eps = struct.unpack("f", struct.pack("f", 1e-5))[0]
        results = [[] for _ in self.outs]
        for row in range(max(self.rows)):
            h = x[row * k:(row + 1) * k]
            if self.norm != "none":
                center = math.fsum(h) / k if self.norm == "layer" else 0.0
                square = math.fsum((v - center) ** 2 for v in h) / k
                h = [(v - center) / math.sqrt(square + eps) for v in h]
            h = [v * g + s for v, g, s in zip(h, gain, shift)]
            z = [[sum(a * b for a, b in zip(h, w[j * k:(j + 1) * k])) for j in range(n)]
                 for w, (n, _, _) in zip(weights, self.linears)]
            for o, (_, linears) in enumerate(self.outs):
                y = [math.prod(z[l][j] for l in linears) for j in range(self.out_n(o))]
                for (out, _), column in zip(self.columns, columns):
                    if out == o:
                        y = [a + b for a, b in zip(y, column)]
                results[o].append(y)
        return results


class Program:
    """The kernels of one case, compiled for the host."""

    def __init__(self, name, case, chip, family, workdir, cxx):
        features, _, _ = FEATURES[chip]
        scheduled = run(["ff-opt", "-", f"--ff-schedule=chip={chip} family={family}"],
                        case.mlir().encode())
        if case.sms:
            scheduled = re.sub(rb"sms = \d+", b"sms = %d" % case.sms, scheduled)
            # Clusters of prefill blocks would not fit.
            scheduled = re.sub(rb"(family = prefill[^>]*), split = \d+", rb"\1", scheduled)
        lowered = run(["ff-opt", "-", "--ff-lower-to-nvgpu"], scheduled)
        self.kernels = self.parse(lowered.decode())
        # Kernels with tensor maps are not for here: the simulator of PTX runs them.
        wanted = [k for k in self.kernels if (family in k["name"] or "_pack_" in k["name"])
                  and not any(kind.endswith("_map") for kind, _ in k["args"])]
        self.kernels = wanted
        device = run(["ff-opt", "-", "--gpu-lower-to-nvvm-pipeline=cubin-format=llvm opt-level=3 "
                      f"kernel-bare-ptr-calling-convention=true cubin-chip={chip} "
                      f"cubin-features={features}"], lowered)
        raw = re.search(rb'offload = "((?:[^"\\]|\\.)*)"', device)[1]
        bitcode = re.sub(rb'\\(\\|"|[0-9A-Fa-f]{2})',
                         lambda m: m[1] if m[1] in b'\\"' else bytes([int(m[1], 16)]), raw)
        names = [f"--func={k['name']}" for k in wanted]
        bitcode = run(["llvm-extract", "--glob=ff_smem", *names, "-o", "-"], bitcode)
        text = run(["llvm-dis", "-o", "-"], bitcode).decode()
        base = os.path.join(workdir, name)
        with open(base + ".ll", "w") as file:
            file.write(self.forHost(text))
        run(["llc", "-O1", "-relocation-model=pic", "-filetype=obj", base + ".ll", "-o", base + ".o"])
        run([cxx, "-shared", base + ".o", os.path.join(workdir, "emulator.o"), "-o", base + ".so"])
        self.library = ctypes.CDLL(base + ".so")

    @staticmethod
    def parse(text):
        kernels = {}
        for plan in re.findall(r"ff\.plan = \{.*", text):
            for entry in re.split(r"\{align = ", plan)[1:]:
                def number(key):
                    return int(re.search(rf"\b{key} = (-?\d+)", entry)[1])
                name = re.search(r'kernel = "([^"]*)"', entry)[1]
                args = [(re.search(r'kind = "(\w+)"', a)[1], int(re.search(r"index = (\d+)", a)[1]))
                        for a in re.findall(r"\{[^}]*\}", entry[:entry.index("], block")])]
                kernels[name] = dict(
                    name=name, args=args, align=int(entry.split()[0]), block=number("block"),
                    fixed=number("grid"), tileM=number("grid_tile_m"), tilesN=number("grid_tiles_n"),
                    cap=number("grid_cap"), shared=number("shared_bytes"),
                    maxRows=number("max_rows"))
        return list(kernels.values())

    def forHost(self, text):
        text = re.sub(r"target (triple|datalayout).*\n", "", text)
        text = re.sub(r"(addrspacecast )(\(?ptr)", r"bitcast \2", text)
        text = re.sub(r" addrspace\([137]\)", "", text)
        text = re.sub(r'asm sideeffect "[^"]*mbarrier\.try_wait\.parity[^"]*", "[^"]*"',
                      "@mbarrier_wait", text)
        text = text.replace("ptx_kernel ", "").replace("@llvm.nvvm.", "@nvvm.")
        text = re.sub(r"declare [^\n]*@nvvm\.[^\n]*\n", "", text)
        text = re.sub(r"attributes #\d+ = \{[^}]*\}\n", "", text)
        text = re.sub(r" #\d+(?=[ \n{])", "", text)
        for kernel in self.kernels:
            types = ["i32" if kind == "rows" else "ptr" for kind, _ in kernel["args"]]
            body = ""
            for i, type in enumerate(types):
                body += f"  %a{i} = getelementptr ptr, ptr %args, i64 {i}\n"
                body += f"  %v{i} = load {type}, ptr %a{i}\n"
            values = ", ".join(f"{t} %v{i}" for i, t in enumerate(types))
            text += define("void", "call_" + kernel["name"], "ptr %args",
                           f"\n{body}  call void @{kernel['name']}({values})\n  ret void\n")
        return text + runtime()

    def launch(self, kernel, buffers, packed, rows, seed, cap):
        args = (ctypes.c_uint64 * len(kernel["args"]))()
        for i, (kind, index) in enumerate(kernel["args"]):
            args[i] = {"rows": lambda: rows, "packed": lambda: packed[index].pointer,
                       "buffer": lambda: buffers[index].pointer}[kind]()
        grid = kernel["fixed"] or -(-rows // kernel["tileM"]) * kernel["tilesN"]
        if kernel["cap"]:
            grid = min(grid, kernel["cap"], cap or grid)
        function = getattr(self.library, "call_" + kernel["name"])
        if self.library.emu_run(function, args, grid, kernel["block"], kernel["shared"], seed):
            sys.exit(f"{kernel['name']} failed for {rows} rows")


def check(name, case, chip, family, workdir, cxx):
    program = Program(name, case, chip, family, workdir, cxx)
    parts, reference = case.data(random.Random(1))
    for kernel in program.kernels:
        if "_pack_" in kernel["name"]:
            continue
        worst, bits = [0.0] * len(case.outs), {}
        for rows in case.rows:
            if kernel["maxRows"] and rows > kernel["maxRows"]:
                continue
            front = rows % 2 == 1
            buffers = []
            for operand, type in case.operands():
                data = parts.get(operand)
                if operand == "x":
                    data = data[:rows * case.k * SIZE[case.x]]
                if operand[0] == "y":
                    data = b"\xff" * (rows * case.out_n(int(operand[1:])) *
                                      SIZE[case.outs[int(operand[1:])][0]])
                element = SIZE[re.search(r"x(b?f\d+)>", type)[1]]
                buffers.append(Buffer(data, max(kernel["align"], element), front))
            packed = []
            for n, _, type in case.linears:
                packed.append(Buffer(b"\xff" * (n * -(-case.k // 8) * 8 * SIZE[type]), 16, front))
                packed += [Buffer(b"\xff" * (4 * n), 16, front) for _ in range(2)]
            for pack in program.kernels:
                if "_pack_" in pack["name"]:
                    program.launch(pack, buffers, packed, rows, rows, None)
            # Of few blocks each takes many tiles.
            program.launch(kernel, buffers, packed, rows, rows, None if front else 2)
            outs = buffers[-len(case.outs):]
            for o, (type, _) in enumerate(case.outs):
                data, n = outs[o].bytes(), case.out_n(o)
                got = decode(type, data)
                old = bits.setdefault(o, data)
                same = min(len(old), len(data))
                if old[:same] != data[:same]:
                    sys.exit(f"{kernel['name']}: bits of a row depend on the number of rows")
                bits[o] = max(old, data, key=len)
                for row in range(rows):
                    want, have = reference[o][row], got[row * n:(row + 1) * n]
                    scale = math.sqrt(sum(v * v for v in want)) or 1.0
                    error = math.sqrt(sum((a - b) ** 2 for a, b in zip(want, have))) / scale
                    worst[o] = max(worst[o], error if error == error else math.inf)
        for error, (type, linears) in zip(worst, case.outs):
            # The factors' errors add up.
            if not error <= CAP[type] * len(linears):
                sys.exit(f"{name} {kernel['name']}: error {error:.2e} of {type} results {worst}")
        print(name, kernel["name"], "ok", " ".join(f"{e:.1e}" for e in worst), flush=True)


CASES = {
    "rms": Case(96, "rms", "f32", [(64, "nk", "f32"), (33, "nk", "f32")], gain="f32",
                columns=[(0, "f32")]),
    "layer": Case(131, "layer", "f32", [(40, "nk", "f32"), (9, "kn", "bf16")], gain="bf16",
                  shift="f16", offset=1.0, outs=[("f32", [0]), ("f16", [1])],
                  columns=[(1, "bf16")]),
    "gated": Case(50, "rms", "f32", [(40, "nk", "f32"), (40, "kn", "f16")],
                  outs=[("f32", [0, 1]), ("bf16", [1])], rows=(1, 4, 16, 40)),
    "linear": Case(3, "none", "bf16", [(1, "kn", "f32"), (35, "nk", "bf16")], shift="f32",
                   outs=[("f32", [0]), ("bf16", [1])], rows=(2, 19)),
    "rms_f16": Case(200, "rms", "f16", [(70, "nk", "f16")], gain="f32"),
    "layer_bf16": Case(136, "layer", "bf16", [(40, "nk", "bf16"), (72, "kn", "bf16")],
                       gain="bf16", shift="f32", columns=[(0, "f32"), (1, "bf16")]),
    "odd_bf16": Case(77, "layer", "bf16", [(33, "kn", "bf16"), (39, "nk", "bf16")], gain="bf16",
                     shift="bf16", offset=1.0),
    # One block with 17 units of 8 columns, and a ring that is filled several times.
    "ring_bf16": Case(1048, "layer", "bf16", [(100, "nk", "bf16"), (31, "nk", "bf16")], gain="f32",
                      shift="bf16", columns=[(0, "f32"), (1, "bf16")], rows=(1, 5, 8, 9, 16), sms=1),
    "ring_f16": Case(1048, "rms", "f16", [(52, "nk", "f16"), (52, "nk", "f16")], gain="f16",
                     outs=[("f16", [0, 1])], rows=(3, 8, 11), sms=1),
    # A row so long that registers do not hold its part of the left operand.
    "long_bf16": Case(9224, "rms", "bf16", [(11, "nk", "bf16")], gain="bf16", rows=(2, 11),
                      sms=2),
}


def main(workdir, cxx, chip, family, names):
    os.makedirs(workdir, exist_ok=True)
    run([cxx, "-std=c++17", "-O1", "-fPIC", "-c", os.path.join(HERE, "emulator.cpp"), "-o",
         os.path.join(workdir, "emulator.o")])
    for name in names:
        check(name, CASES[name], chip, family, workdir, cxx)


if __name__ == "__main__":
    main(*sys.argv[1:5], sys.argv[5:])
