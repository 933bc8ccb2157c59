# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the compiler along: build/compiler of a build tree beside this folder (or the folder
in $FLASHFUSION_COMPILER) goes into the package. Without one the package is the runtime alone."""

import os
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70
    from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILER = os.environ.get("FLASHFUSION_COMPILER") or os.path.join(HERE, "..", "build", "compiler")
FILES = [os.path.join(COMPILER, name) for name in ("ff-compile", "libFlashFusionCompiler.so")]
HAS_COMPILER = all(map(os.path.isfile, FILES))


class BuildPy(build_py):
    def run(self):
        super().run()
        if HAS_COMPILER:
            target = os.path.join(self.build_lib, "flashfusion", "_bin")
            os.makedirs(target, exist_ok=True)
            for file in FILES:
                shutil.copy2(file, target)


class Wheel(bdist_wheel):
    """For any Python 3, and for systems whose C library is as new as this one's."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = not HAS_COMPILER

    def get_tag(self):
        if not HAS_COMPILER:
            return "py3", "none", "any"
        platform = super().get_tag()[2]
        libc = os.confstr("CS_GNU_LIBC_VERSION").split()[-1].replace(".", "_")
        return "py3", "none", platform.replace("linux_", f"manylinux_{libc}_", 1)


setup(cmdclass={"build_py": BuildPy, "bdist_wheel": Wheel})
