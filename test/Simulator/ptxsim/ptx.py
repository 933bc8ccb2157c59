# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads PTX text: kernels, their parameters, registers and instructions.

Only what LLVM and the inline assembly of this project print: one module, entries
without calls, registers declared in ranges or in `{ }` scopes of inline assembly.
"""

import re
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Set, Tuple


class PTXError(ValueError):
    """The text holds something that the reader or the simulator does not model."""


@dataclass
class Instruction:
    text: str                       # without the guard, for messages
    op: Tuple[str, ...]             # the mnemonic, split at its dots
    operands: List[str]
    guard: Optional[str] = None     # predicate register
    negated: bool = False
    target: int = -1                # of a branch

    @property
    def name(self) -> str:
        return ".".join(self.op)


@dataclass
class Kernel:
    name: str
    params: List[str]
    threads: int                    # of a block, from .maxntid
    code: List[Instruction]
    registers: Dict[str, str]       # name or prefix of a range: type
    counts: Dict[str, int] = field(default_factory=dict)  # registers of a range
    shared: str = ""                # symbol of the dynamic shared memory

    def uses(self, *prefix: str) -> bool:
        return any(i.op[:len(prefix)] == prefix for i in self.code)


def split(text: str) -> List[str]:
    """Splits at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def vector(operand: str) -> List[str]:
    """The members of `{a, b}`; a single operand is a vector of one."""
    return split(operand[1:-1]) if operand.startswith("{") else [operand]


class _Body:
    """One kernel's statements. Scopes rename what they declare and resolve their labels."""

    def __init__(self) -> None:
        self.code: List[Instruction] = []
        self.registers: Dict[str, str] = {}
        self.counts: Dict[str, int] = {}
        self.labels: Dict[Tuple[int, str], int] = {}
        self.branches: List[Tuple[Instruction, Tuple[int, ...], str]] = []
        self.scopes: List[int] = [0]
        self.renamed: List[Dict[str, str]] = [{}]
        self.number = 0

    def open(self) -> None:
        self.number += 1
        self.scopes.append(self.number)
        self.renamed.append({})

    def close(self) -> None:
        self.scopes.pop()
        self.renamed.pop()

    def label(self, name: str) -> None:
        self.labels[self.scopes[-1], name] = len(self.code)

    def statement(self, text: str) -> None:
        if text.startswith(".reg"):
            _, type_, names = text.split(None, 2)
            for name in split(names):
                self._declare(type_[1:], name)
        elif not text.startswith("."):
            self._instruction(text)
        elif not text.startswith((".pragma", ".loc")):
            raise PTXError(f"unknown directive: {text}")

    def _declare(self, type_: str, name: str) -> None:
        ranged = re.fullmatch(r"([%$\w]+)<(\d+)>", name)
        if ranged:
            self.registers[ranged.group(1)] = type_
            self.counts[ranged.group(1)] = int(ranged.group(2))
        elif len(self.scopes) == 1:
            self.registers[name] = type_
        else:
            unique = f"{name}@{self.scopes[-1]}"
            self.renamed[-1][name] = unique
            self.registers[unique] = type_

    def _instruction(self, text: str) -> None:
        for names in reversed(self.renamed):
            for name, unique in names.items():
                text = re.sub(rf"(?<![\w%$.]){re.escape(name)}(?![\w@])", unique, text)
        guard, negated = None, False
        match = re.match(r"@(!?)(\S+)\s+(.*)", text)
        if match:
            negated, guard, text = match.group(1) == "!", match.group(2), match.group(3)
        mnemonic, _, rest = text.partition(" ")
        made = Instruction(text, tuple(mnemonic.split(".")), split(rest), guard, negated)
        self.code.append(made)
        if made.op[0] == "bra":
            self.branches.append((made, tuple(self.scopes), made.operands[0]))

    def finish(self) -> None:
        for branch, scopes, name in self.branches:
            found = [self.labels[s, name] for s in reversed(scopes) if (s, name) in self.labels]
            if not found:
                raise PTXError(f"no label {name}")
            branch.target = found[0]


def _parse_body(text: str) -> _Body:
    body, at = _Body(), 0
    space, label = re.compile(r"\s*"), re.compile(r"([$\w]+)\s*:")
    while True:
        at = space.match(text, at).end()  # type: ignore[union-attr]
        if at == len(text):
            break
        found = label.match(text, at)
        if found:
            body.label(found.group(1))
            at = found.end()
        elif text[at] == "{":
            body.open()
            at += 1
        elif text[at] == "}":
            body.close()
            at += 1
        else:
            end = text.find(";", at)
            if end < 0:
                raise PTXError(f"statement without an end: {text[at:at + 40]!r}")
            body.statement(" ".join(text[at:end].split()))
            at = end + 1
    body.finish()
    return body


def parse(text: str, wanted: Optional[Set[str]] = None) -> Dict[str, Kernel]:
    """The kernels of a PTX module, or those of these names."""
    text = re.sub(r"//[^\n]*", "", text)
    shared = re.search(r"\.extern\s+\.shared\s+[^;]*?([$\w]+)\[\]\s*;", text)
    kernels = {}
    for match in re.finditer(r"\.entry\s+([$\w]+)\s*\((.*?)\)([^{]*)\{", text, re.DOTALL):
        name, params, directives = match.groups()
        if wanted is not None and name not in wanted:
            continue
        start = end = match.end()
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        threads = re.search(r"\.(?:max|req)ntid\s+(\d+)", directives)
        if not threads:
            raise PTXError(f"{name}: no .maxntid")
        body = _parse_body(text[start:end - 1])
        names = [re.sub(r"\[\d+\]$", "", p.split()[-1]) for p in split(params)]
        kernels[name] = Kernel(name, names, int(threads.group(1)), body.code, body.registers,
                               body.counts, shared.group(1) if shared else "")
    return kernels
