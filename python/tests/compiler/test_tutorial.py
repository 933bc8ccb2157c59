# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/tutorial.md does what it says: its Python blocks, one after the other."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

TUTORIAL = Path(__file__).parents[3] / "docs" / "tutorial.md"


class Tutorial(unittest.TestCase):
    def test_blocks(self):
        blocks = re.findall(r"^```python\n(.*?)^```$", TUTORIAL.read_text(), re.M | re.S)
        self.assertGreaterEqual(len(blocks), 6)
        names = {}
        out = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out), \
                mock.patch.dict(os.environ, {"FLASHFUSION_CACHE_DIR": folder}):
            for number, block in enumerate(blocks):
                exec(compile(block, f"block {number} of {TUTORIAL.name}", "exec"), names)
        self.assertIn("main(f32[?, 64], f32[64], f32[24, 64]) -> (f32[?, 24])", out.getvalue())
        self.assertIn("argument 2 must be f32[24, 64], not of shape (24, 32)", out.getvalue())


if __name__ == "__main__":
    unittest.main()
