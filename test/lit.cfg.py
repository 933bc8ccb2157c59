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
config.excludes = ["Inputs", "Unit", "Tool", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ff_obj_root, "test")

llvm_config.with_environment("PATH", os.path.join(config.ff_obj_root, "bin"), append_path=True)
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.use_default_substitutions()
config.substitutions.append(("%ff_src_root", config.ff_src_root))
config.substitutions.append(("%ff_obj_root", config.ff_obj_root))
config.substitutions.append(("%python", config.python_executable))

# A PTX file is assembled where the CUDA assembler is installed; its absence is
# visible in lit's summary as unsupported tests, never as passes.
ptxas = shutil.which("ptxas") or (
    "/usr/local/cuda/bin/ptxas" if os.path.exists("/usr/local/cuda/bin/ptxas") else None)
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))

# Programs of other projects, which are not part of this one.
inputs = os.path.join(config.ff_src_root, os.pardir, "shared", "inputs")
if os.path.isdir(inputs):
    config.available_features.add("inputs")
    config.substitutions.append(("%inputs", inputs))

# Kernels run on the host where its ABI passes 16-bit floats as the emulator expects.
config.substitutions.append(("%cxx", config.cxx))
config.substitutions.append(("%cc", config.cc))
if platform.machine() == "x86_64" and platform.system() == "Linux" and all(
        shutil.which(tool, path=config.llvm_tools_dir)
        for tool in ("llc", "llvm-dis", "llvm-extract")):
    config.available_features.add("emulator")

# The compiler of the Python package, where MLIR's static archives are installed.
compiler = os.path.join(config.ff_obj_root, "compiler")
if os.path.exists(os.path.join(compiler, "ff-compile")):
    config.available_features.add("travelling-compiler")
    config.substitutions.append(("%ff_compiler", compiler))

# Embedding: the plugin in Debian's mlir-opt, packages built against this one.
config.substitutions.append(("%ff_plugin", os.path.join(config.ff_obj_root, "lib", "FlashFusionPlugin.so")))
config.substitutions.append(("%mlir_dir", config.mlir_dir))
if shutil.which("mlir-opt", path=config.llvm_tools_dir):
    config.available_features.add("mlir-opt")

if shutil.which("valgrind"):
    config.available_features.add("valgrind")

# A build with FF_SANITIZE. libLLVM and libMLIR are not instrumented: what they allocate from an arena,
# or put into a container, that our code has poisoned would look out of bounds.
if config.sanitize:
    config.available_features.add("sanitizer")
    config.environment["ASAN_OPTIONS"] = (
        "detect_container_overflow=0:allow_user_poisoning=0:detect_leaks="
        + os.environ.get("FF_DETECT_LEAKS", "1"))
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
    config.environment["TSAN_OPTIONS"] = ("halt_on_error=1:suppressions="
        + os.path.join(config.test_source_root, "thread-sanitizer.supp"))

# The simulator of PTX (docs/testing.md) needs numpy.
if subprocess.run([config.python_executable, "-c", "import numpy"],
                  capture_output=True).returncode == 0:
    config.available_features.add("numpy")

# The torch.compile backend; looked for without the seconds that importing it takes.
if subprocess.run([config.python_executable, "-c",
                   "import importlib.util as u, sys; sys.exit(u.find_spec('torch') is None)"]
                  ).returncode == 0:
    config.available_features.add("torch")
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
