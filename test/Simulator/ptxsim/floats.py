# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bits of 16-bit and tf32 floats; numpy has no bf16."""

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


FROM = {"bf16": from_bf16, "f16": from_f16}
TO = {"bf16": to_bf16, "f16": to_f16}


def encode(type_: str, values) -> np.ndarray:
    """Values rounded to a bundle's element type, as that type's bits or as f32."""
    values = np.asarray(values, np.float32)
    return values if type_ == "f32" else TO[type_](values)


def decode(type_: str, stored: np.ndarray) -> np.ndarray:
    """As float64."""
    return (stored if type_ == "f32" else FROM[type_](stored)).astype(np.float64)
