# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""f8_numbers.py BYTES.npy: writes the 256 floats of 8 bits, as bytes.
f8_numbers.py BYTES.npy --check F32.npy: is every one of them the f32 that its definition says?"""

import math
import struct
import sys


def value(bits):
    """sign, 4 bits of exponent (bias 7), 3 of significand; no infinity, one NaN."""
    exponent, significand = bits >> 3 & 15, bits & 7
    if bits & 127 == 127:
        return math.nan
    size = math.ldexp(significand, -9) if exponent == 0 else math.ldexp(8 + significand, exponent - 10)
    return math.copysign(size, -1.0 if bits & 128 else 1.0)


if len(sys.argv) == 2:
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (256,), }".ljust(117) + "\n"
    with open(sys.argv[1], "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(range(256)))
else:
    with open(sys.argv[3], "rb") as file:
        numbers = struct.unpack("<256f", file.read()[-1024:])
    for bits, number in enumerate(numbers):
        expected = value(bits)
        same = math.isnan(number) if math.isnan(expected) else (
            number == expected and math.copysign(1, number) == math.copysign(1, expected))
        if not same:
            sys.exit(f"{bits:#04x} is {expected}, not {number}")
