"""Builds the kernels: from the C++ that pyk2cu makes now or, where there is no pyk2cu, from the C++ in the sdist."""
import os
import pathlib
import runpy
import shutil
import subprocess
import sys

from setuptools import setup

SOURCES = "src/geodist"
GENERATED = "generated"  # goes into the sdist, so that who builds from it needs a C++ compiler alone

pyk2cu = shutil.which(os.environ.get("PYK2CU", "pyk2cu"))
if pyk2cu:
    compile_file = [pyk2cu, "-o", GENERATED, "-I", "src"]
    subprocess.run([*compile_file, f"{SOURCES}/kernels.py"], check=True)
    subprocess.run([*compile_file, f"{SOURCES}/track.py", "--module", "_track"], check=True)
if not pathlib.Path(GENERATED, "setup.py").exists():
    sys.exit("geodist: pyk2cu is needed to build from a checkout: put it on PATH, or name it in PYK2CU")

setup(**runpy.run_path("generated/setup.py")["modules"]("geodist"))
