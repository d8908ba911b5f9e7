"""Configuration of the test suite: see test/CMakeLists.txt."""

import os
import shutil

import lit.formats
import lit.llvm
from lit.llvm import llvm_config

config.name = "Amp"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
# Data of tests, not tests.
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py", "unit", "bench"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.amp_binary_dir, "test")

llvm_config.use_default_substitutions()
# The compiler of the user's environment must not decide what the tests link with.
config.environment.pop("CXX", None)
llvm_config.with_environment("PATH", config.amp_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
# A loaded computer would otherwise start as many threads as it has cores, each.
llvm_config.with_environment("OMP_NUM_THREADS", "1")

tools = ["amp-opt", "ampc", "amp-lsp-server", "mlir-opt", "llvm-nm", "split-file"]
llvm_config.add_tool_substitutions(tools, [config.amp_tools_dir, config.llvm_tools_dir])
config.substitutions.append(("%python", config.python_executable))
config.substitutions.append(("%cxx", config.host_cxx))
config.substitutions.append(("%amp_source", config.amp_source_dir))
config.substitutions.append(("%amp_lib", config.amp_lib_dir))
# Real data that may not be shipped lies beside the project, where there is any.
shared = os.path.join(os.path.dirname(config.amp_source_dir), "shared")
config.substitutions.append(("%shared", shared))

# `REQUIRES:` of a test names one of these.
if shutil.which("nvidia-smi"):
    config.available_features.add("cuda")
if os.path.exists(os.path.join(shared, "data", "sst", "dev.txt")):
    config.available_features.add("shared-data")
else:
    lit_config.note(f"no {shared}/data: tests on the real trees and sentences do not run")
if os.path.exists(os.path.join(config.amp_lib_dir, "libamprt-main.a")):
    config.available_features.add("runtime")
if config.host_arch in ("x86_64", "AMD64"):
    config.available_features.add("x86")
