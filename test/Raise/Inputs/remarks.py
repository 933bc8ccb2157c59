#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the remarks of ff-raise, one line per file: remarks.py [--PASS..] FILE.mlir.."""
import os
import re
import subprocess
import sys
import tempfile


def describe(path, yaml, passes):
    subprocess.run(["ff-opt", path, "--allow-unregistered-dialect", *passes, "--ff-raise", "--remarks-filter=ff-raise",
                    "--remark-format=yaml", f"--remarks-output-file={yaml}", "-o", os.devnull],
                   check=True)
    found = []
    for doc in open(yaml).read().split("---")[1:]:
        args = dict(re.findall(r"- (\w+):\s+'?([^'\n]*)", doc))
        if doc.split()[0] == "!Passed":
            found.append(f"{args['kind']} linears={args['linears']} escapes={args['escapes']}")
        else:
            found.append(f"declined: {args['reason']}")
    return "; ".join(found) or "nothing"


def main():
    with tempfile.TemporaryDirectory() as folder:
        passes = [argument for argument in sys.argv[1:] if argument.startswith("--")]
        for path in sorted(set(sys.argv[1:]) - set(passes)):
            name = os.path.basename(path).removesuffix(".mlir")
            print(f"{name}: {describe(path, os.path.join(folder, 'remarks.yaml'), passes)}")


if __name__ == "__main__":
    main()
