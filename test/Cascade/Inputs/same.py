"""same.py ORIGINAL.mlir OTHER.mlir...: runs the function of each file on the same inputs.

Prints for each OTHER by how much its results differ from the original's, relative to the
largest element, and fails above 1e-5. Inputs are those that layers get: weights of unit
gain, masks that hide some keys with minus infinity (an argument with --mask=INDEX).
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np


def shapes(path):
    signature = re.search(r"func\.func @\w+\((.*?)\) ->", path.read_text(), re.S).group(1)
    return [tuple(int(d) for d in dims.split("x")[:-1])
            for dims in re.findall(r"tensor<([\dx]+f32)>", signature)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--mask", type=int, action="append", default=[])
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        folder, options = pathlib.Path(folder), []
        for i, shape in enumerate(shapes(args.files[0])):
            scale = shape[-1] ** -0.5 if i and len(shape) == 2 else 1.0
            value = rng.standard_normal(shape) * scale
            if i in args.mask:
                # Every row sees its last key, and some see nothing in the first blocks.
                value = np.where(rng.random(shape) < 0.6, -np.inf, value)
                value[..., : shape[-1] // 2] = np.where(rng.random(shape[:-1] + (1,)) < 0.5,
                                                        -np.inf, value[..., : shape[-1] // 2])
                value[..., -1] = 0
            np.save(folder / f"{i}.npy", value.astype(np.float32))
            options.append(f"--input=arg{i}:{folder / f'{i}.npy'}")
        results = []
        for file in args.files:
            out = folder / "out.npy"
            run = subprocess.run(["ff-run", str(file), *options, f"--output=res0:{out}"],
                                 capture_output=True, text=True)
            if run.returncode:
                sys.exit(run.stderr)
            results.append(np.load(out).astype(np.float64))
        if not np.isfinite(results[0]).all():
            sys.exit("the original's results are not finite")
        for file, result in zip(args.files[1:], results[1:]):
            error = np.abs(result - results[0]).max() / np.abs(results[0]).max()
            print(f"{'same' if error < 1e-5 else 'DIFFERENT'} {error:.2g}")


if __name__ == "__main__":
    main()
