# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bits of 8-bit, 16-bit and tf32 floats; numpy has no bf16 and no f8."""

import numpy as np

U16, U32, U64 = np.uint16, np.uint32, np.uint64


def from_bf16(bits: np.ndarray) -> np.ndarray:
    return (np.asarray(bits).astype(U32) << U32(16)).view(np.float32)


def to_bf16(values: np.ndarray) -> np.ndarray:
    """Nearest even, of f32."""
    values = np.ascontiguousarray(values, np.float32)
    bits = values.view(U32).astype(U64)
    rounded = (bits + U64(0x7fff) + ((bits >> U64(16)) & U64(1))) >> U64(16)
    return np.where(np.isnan(values), U16(0x7fff), rounded.astype(U16))


def from_f16(bits: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(bits, U16).view(np.float16).astype(np.float32)


def to_f16(values: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(values).astype(np.float16).view(U16)


def to_tf32(values: np.ndarray) -> np.ndarray:
    """Bits of f32 values rounded to tf32, half away from zero."""
    bits = np.ascontiguousarray(values, np.float32).view(U32).astype(U64)
    return ((bits + U64(0x1000)) & U64(0xffffe000)).astype(U32)


def _f8_values() -> np.ndarray:
    """The f8E4M3FN of every byte: 4 bits of exponent, no infinity, one NaN of either sign."""
    bits = np.arange(256)
    exponent, significand = bits >> 3 & 15, (bits & 7).astype(np.float32)
    size = np.where(exponent == 0, np.ldexp(significand, -9),
                    np.ldexp(significand + 8, exponent - 10))
    size = np.where(bits & 127 == 127, np.nan, size)
    return np.where(bits & 128, -size, size).astype(np.float32)


F8 = _f8_values()


def from_f8(bits: np.ndarray) -> np.ndarray:
    return F8[np.asarray(bits, np.uint8)]


def to_f8(values: np.ndarray) -> np.ndarray:
    """Nearest even; what is larger than the largest becomes that."""
    values = np.asarray(values, np.float32)
    finite, size = F8[:127], np.minimum(np.abs(values), 448)
    above = np.clip(np.searchsorted(finite, size), 1, 126)
    low, high = size - finite[above - 1], finite[above] - size
    at = np.where((low < high) | ((low == high) & (above % 2 == 1)), above - 1, above)
    bits = np.where(np.isnan(values), 127, at) | np.where(np.signbit(values), 128, 0)
    return bits.astype(np.uint8)


FROM = {"bf16": from_bf16, "f16": from_f16, "f8E4M3FN": from_f8}
TO = {"bf16": to_bf16, "f16": to_f16, "f8E4M3FN": to_f8}


def encode(type_: str, values) -> np.ndarray:
    """Values rounded to a bundle's element type, as that type's bits or as f32."""
    values = np.asarray(values, np.float32)
    return values if type_ == "f32" else TO[type_](values)


def decode(type_: str, stored: np.ndarray) -> np.ndarray:
    """As float64."""
    return (stored if type_ == "f32" else FROM[type_](stored)).astype(np.float64)
