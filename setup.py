# SPDX-License-Identifier: Apache-2.0
"""The Python package: CMake builds it, this packs it.

    pip install .        or        pip wheel .

ULNA_PYTHON_BUILD names a CMake build folder to take the package from, one that is built; otherwise it is built in
build/wheel as a release, with the studio where npm and emscripten are installed, or ULNA_STUDIO_DIST names a folder with
its page (docs/python/install.md)."""
import os
import pathlib
import shutil
import subprocess
import sys

import setuptools
import setuptools.command.build_py

ROOT = pathlib.Path(__file__).resolve().parent


def built_package():
    """The folder of the package, which is built first unless it is there."""
    given = os.environ.get("ULNA_PYTHON_BUILD")
    if given:
        return pathlib.Path(given).resolve() / "python" / "ulna"
    build = ROOT / "build" / "wheel"
    page = os.environ.get("ULNA_STUDIO_DIST", "")
    studio = bool(page or shutil.which("npm") and shutil.which("em++"))
    if studio and not page:
        subprocess.run([ROOT / "tools" / "setup", "studio"], check=True, stdout=sys.stderr)
    if not studio:
        print("npm or emscripten is not installed: ulna.view() will have no studio", file=sys.stderr)
    switch = "ON" if studio else "OFF"
    subprocess.run([
        "cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DULNA_UNITY=ON", "-DULNA_PYTHON=ON",
        f"-DULNA_BUILD_CLI={switch}", f"-DULNA_STUDIO={switch}", f"-DULNA_STUDIO_DIST={page}",
        f"-DPython_EXECUTABLE={sys.executable}",
    ], check=True)
    target = "ulna_python_studio" if studio else "ulna_python_package"
    subprocess.run(["cmake", "--build", build, "--target", target], check=True)
    return build / "python" / "ulna"


class BuildPackage(setuptools.command.build_py.build_py):
    """Takes the package as CMake built it, the module and the studio included."""

    def run(self):
        source, target = built_package(), pathlib.Path(self.build_lib) / "ulna"
        if not list(source.glob("_core*.so")):
            raise SystemExit(f"setup.py: there is no package in {source}: build the target ulna_python_package")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))


class Binary(setuptools.Distribution):
    """A package for one Python and one machine."""

    def has_ext_modules(self):
        return True


(ROOT / "build").mkdir(exist_ok=True)
setuptools.setup(
    name="ulna",
    version=(ROOT / "VERSION").read_text().split()[0],
    description="Articulated characters: motion files, kinematics, inverse kinematics, skins and retargeting",
    long_description=(ROOT / "docs" / "python" / "guide.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    license_files=["LICENSE", "NOTICE"],
    python_requires=">=3.9",
    install_requires=["numpy"],
    packages=["ulna"],
    package_dir={"ulna": "bindings/python/ulna"},
    distclass=Binary,
    cmdclass={"build_py": BuildPackage},
    options={"egg_info": {"egg_base": "build"}, "bdist_wheel": {"py_limited_api": False}},
    zip_safe=False,
)
