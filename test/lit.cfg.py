# Tests mirror lib/: one folder per stage, one file per pass.
import os
import platform
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config

config.name = "FlashFusion"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ff_obj_root, "test")

llvm_config.with_environment("PATH", os.path.join(config.ff_obj_root, "bin"), append_path=True)
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.use_default_substitutions()
config.substitutions.append(("%ff_src_root", config.ff_src_root))
config.substitutions.append(("%python", config.python_executable))

# A PTX file is assembled where the CUDA assembler is installed; its absence is
# visible in lit's summary as unsupported tests, never as passes.
ptxas = shutil.which("ptxas") or (
    "/usr/local/cuda/bin/ptxas" if os.path.exists("/usr/local/cuda/bin/ptxas") else None)
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))

# Kernels run on the host where its ABI passes 16-bit floats as the emulator expects.
config.substitutions.append(("%cxx", config.cxx))
if platform.machine() == "x86_64" and platform.system() == "Linux" and all(
        shutil.which(tool, path=config.llvm_tools_dir)
        for tool in ("llc", "llvm-dis", "llvm-extract")):
    config.available_features.add("emulator")

# The compiler of the Python package, where MLIR's static archives are installed.
compiler = os.path.join(config.ff_obj_root, "compiler")
if os.path.exists(os.path.join(compiler, "ff-compile")):
    config.available_features.add("travelling-compiler")
    config.substitutions.append(("%ff_compiler", compiler))

# The simulator of PTX (docs/testing.md) needs numpy.
if subprocess.run([config.python_executable, "-c", "import numpy"],
                  capture_output=True).returncode == 0:
    config.available_features.add("numpy")
paths = [os.path.join(config.ff_src_root, "test", "Simulator"),
         os.path.join(config.ff_src_root, "python")]
config.substitutions.append((
    "%ptxsim", f"env PYTHONPATH={os.pathsep.join(paths)} PYTHONDONTWRITEBYTECODE=1 "
    f"OPENBLAS_NUM_THREADS=1 {config.python_executable} -m ptxsim"))
# --ff-to-ptx from ff-schedule on, for tests that edit what that decides.
config.substitutions.append((
    "%schedule_to_bundle", "ff-opt - --ff-prepare-host-functions "
    '--one-shot-bufferize="bufferize-function-boundaries '
    'function-boundary-type-conversion=identity-layout-map" --canonicalize '
    '--buffer-results-to-out-params="add-result-attr hoist-static-allocs hoist-dynamic-allocs '
    'modify-public-functions" --ff-write-results-in-place --cse --ff-lower-to-nvgpu '
    "--ff-emit-ptx --emit=bundle"))
