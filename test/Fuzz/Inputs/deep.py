# deep.py KIND N: prints a program with N of something:
#   chains:  norms with a Linear each, one behind the other in one function
#   sharing: Linears of one norm
#   long:    elementwise operations between a norm and its Linear
#   nested:  regions around a norm and its Linear
#   modules: modules around them
import sys

kind, n = sys.argv[1], int(sys.argv[2])
T = "tensor<4x8xf32>"
lines = []


def norm(x, out):
    """An RMSNorm of x."""
    lines.extend([
        f"%s{out} = linalg.generic {{indexing_maps = [#mk, #m], iterator_types = [\"parallel\", \"reduction\"]}}",
        f"    ins({x} : {T}) outs(%z1 : tensor<4xf32>) {{",
        "^bb0(%in: f32, %o: f32):",
        "  %q = arith.mulf %in, %in : f32",
        "  %r = arith.addf %o, %q : f32",
        "  linalg.yield %r : f32",
        "} -> tensor<4xf32>",
        f"%h{out} = linalg.generic {{indexing_maps = [#mk, #m, #mk], iterator_types = [\"parallel\", \"parallel\"]}}",
        f"    ins({x}, %s{out} : {T}, tensor<4xf32>) outs(%e2 : {T}) {{",
        "^bb0(%in: f32, %sum: f32, %o: f32):",
        "  %a = arith.divf %sum, %count : f32",
        "  %c = math.rsqrt %a : f32",
        "  %d = arith.mulf %in, %c : f32",
        "  linalg.yield %d : f32",
        f"}} -> {T}"])
    return f"%h{out}"


def linear(h, out):
    lines.append(f"%y{out} = linalg.matmul ins({h}, %w : {T}, tensor<8x8xf32>) outs(%z2 : {T}) -> {T}")
    return f"%y{out}"


x = "%x"
if kind == "chains":
    for i in range(n):
        x = linear(norm(x, i), i)
elif kind == "sharing":
    h = norm(x, 0)
    results = [linear(h, i) for i in range(n)]
    x = results[-1]
    lines.append(f'"other.use"({", ".join(results)}) : ({", ".join([T] * n)}) -> ()')
else:
    if kind == "nested":
        lines.extend(["scf.if %p {"] * n)
    h = norm(x, 0)
    for i in range(n if kind == "long" else 0):
        lines.extend([
            f"%l{i} = linalg.generic {{indexing_maps = [#mk, #mk], iterator_types = [\"parallel\", \"parallel\"]}}",
            f"    ins({h} : {T}) outs(%e2 : {T}) {{",
            "^bb0(%in: f32, %o: f32):",
            "  %d = arith.negf %in : f32",
            "  linalg.yield %d : f32",
            f"}} -> {T}"])
        h = f"%l{i}"
    x = linear(h, 0)
    if kind == "nested":
        lines.append(f'"other.use"({x}) : ({T}) -> ()')
        lines.extend(["}"] * n)
        x = "%x"

print("#mk = affine_map<(m, k) -> (m, k)>\n#m = affine_map<(m, k) -> (m)>")
if kind == "modules":
    print("module {\n" * n)
print(f"func.func @f(%x: {T}, %w: tensor<8x8xf32>, %p: i1) -> {T} {{")
print("%zero = arith.constant 0.0 : f32\n%count = arith.constant 8.0 : f32")
print("%e1 = tensor.empty() : tensor<4xf32>")
print("%z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>")
print(f"%e2 = tensor.empty() : {T}")
print(f"%z2 = linalg.fill ins(%zero : f32) outs(%e2 : {T}) -> {T}")
print("\n".join(lines))
print(f"return {x} : {T}\n}}")
if kind == "modules":
    print("}\n" * n)
