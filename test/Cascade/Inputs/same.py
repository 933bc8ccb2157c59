"""same.py ORIGINAL.mlir OTHER.mlir...: runs the function of each file on the same inputs.

Prints for each OTHER by how much its results differ from the original's, relative to the
largest element, and fails above 1e-5. Inputs are those that layers get: weights of unit
gain, masks that hide some keys with minus infinity (an argument with --mask=INDEX), and with
--blind all keys from some rows.

In 16 bits the yardstick is the program in f64 (docs/numerics.md): the errors of OTHER's rows
may be 1.1 times those of the program as written, on the whole, and row by row by the rule for
results without caps; what is 0 in f64 is 0.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

UNIT = {"f32": 2.0**-24, "bf16": 2.0**-8, "f16": 2.0**-11}


def signature(path):
    text = path.read_text()
    match = re.search(r"func\.func @\w+\((.*?)\) -> tensor<[\dx]+x(\w+)>", text, re.S)
    types = re.findall(r"tensor<([\dx]+x)(f32|bf16|f16|i1)>", match.group(1))
    return [(tuple(map(int, dims.split("x")[:-1])), t) for dims, t in types], match.group(2)


def pack(value, dtype):
    """As an array that ff-run takes for the type."""
    if dtype != "bf16":
        return value.astype({"f32": np.float32, "f16": np.float16, "i1": np.bool_}[dtype])
    bits = value.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def unpack(value):
    if value.dtype.itemsize == 2 and value.dtype != np.float16:
        value = (value.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return value.astype(np.float64)


def draw(rng, index, shape, dtype, args):
    # The last key is seen by every row, and some see nothing in the first blocks.
    hidden = rng.random(shape) < 0.6
    hidden[..., : shape[-1] // 2] |= rng.random(shape[:-1] + (1,)) < 0.5
    hidden[..., -1] = False
    if args.blind:
        hidden |= rng.random(shape[:-1] + (1,)) < 0.3
    scale = shape[-1] ** -0.5 if index and len(shape) == 2 else 1.0
    value = rng.standard_normal(shape) * scale
    if dtype == "i1":
        return ~hidden
    if index in args.mask:
        value[..., -1] = 0
        value = np.where(hidden, -np.inf, value)
    return value


def compare(result, written, exact, unit):
    """Whether the result meets the contract, and the mean and largest ratio of errors."""
    row = (-1, exact.shape[-1])
    norm = np.linalg.norm(exact.reshape(row), axis=1)
    seen = norm > 0

    def errors(x):
        return np.linalg.norm((x - exact).reshape(row), axis=1)[seen] / norm[seen]

    e, w = errors(result), errors(written)
    slack = lambda n: np.exp(6 / np.sqrt(n))  # noqa: E731
    floor = np.maximum(w, max(np.median(w), unit / 4))
    mean = np.exp(np.mean(np.log(np.maximum(e, unit / 4) / floor)))
    worst = np.max(e / np.maximum(floor, w.max()))
    blind = not np.any(result.reshape(row)[~seen])
    good = mean <= 1.1 * slack(exact.size) and worst <= 1.1 * slack(row[1])
    return good and blind, mean, worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--mask", type=int, action="append", default=[])
    parser.add_argument("--blind", action="store_true")
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    inputs, dtype = signature(args.files[0])
    narrow = dtype != "f32"
    options = []

    def run(file, folder):
        out = folder / "out.npy"
        command = ["ff-run", str(file), *options, f"--output=res0:{out}", "--optimize=0"]
        # What is compared is these programs, not what ff-run would make of them.
        done = subprocess.run(command + ["--rounding=strict"] * narrow, capture_output=True,
                              text=True)
        if done.returncode:
            sys.exit(done.stderr)
        return unpack(np.load(out))

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for i, (shape, t) in enumerate(inputs):
            np.save(folder / f"{i}.npy", pack(draw(rng, i, shape, t, args), t))
            options.append(f"--input=arg{i}:{folder / f'{i}.npy'}")
        first, *others = (run(file, folder) for file in args.files)
        if not np.isfinite(first).all():
            sys.exit("the original's results are not finite")
        if narrow:
            wide = folder / "f64.mlir"
            subprocess.run(["ff-opt", str(args.files[0]), "--ff-promote-to-f64", "-o", str(wide)],
                           check=True)
            exact = run(wide, folder)
    for result in others:
        if narrow:
            good, mean, worst = compare(result, first, exact, UNIT[dtype])
            print(f"{'same' if good else 'DIFFERENT'} mean {mean:.2f} worst {worst:.2f}")
        else:
            error = np.abs(result - first).max() / np.abs(first).max()
            print(f"{'same' if error < 1e-5 else 'DIFFERENT'} {error:.2g}")


if __name__ == "__main__":
    main()
