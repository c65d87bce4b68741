# SPDX-License-Identifier: Apache-2.0
"""The library as WebAssembly in node gives the poses of the native one: doubles to 1e-9 of the size,
float batches and skins to 1e-6; and a broken file is an error with its place there too."""
import glob
import os
import subprocess
import sys

NATIVE = os.environ["ULNA_BUILD"] + "/tests/wasm/pose_dump"
WASM = "build/wasm/tests/wasm/pose_dump.js"


def numbers(command):
    out = subprocess.run(command, capture_output=True, text=True)
    if out.returncode != 0:
        sys.exit(f"{command}: {out.stderr[-500:]}")
    return [[float(t) for t in line.split()] for line in out.stdout.splitlines()]


def main():
    if not os.path.exists(WASM):
        sys.exit(f"{WASM} is not built; ./test builds it")
    paths = ["assets/ulna-character.rig.json", "assets/ulna-character.glb"] + sorted(glob.glob("assets/*.bvh"))
    paths += sorted(glob.glob(os.environ["ULNA_SHARED_DATA"] + "/bvh/**/*.bvh", recursive=True))
    for name in ("Fox", "CesiumMan", "RiggedFigure"):
        paths += sorted(glob.glob(os.environ["ULNA_SHARED_DATA"] + f"/gltf/{name}/**/*.gl*", recursive=True))
    failed = False
    for path in paths:
        native, wasm = numbers([NATIVE, path]), numbers(["node", WASM, path])
        assert len(native) == len(wasm) > 0, path
        size = max(abs(v) for row in native for v in row)
        double = max(abs(a - b) for x, y in zip(native, wasm) for a, b in zip(x[:3], y[:3])) / size
        single = max(abs(a - b) for x, y in zip(native, wasm) for a, b in zip(x[3:], y[3:])) / size
        print(f"{os.path.basename(path)}: {len(native)} positions, double {double:.1e}, float {single:.1e}")
        failed |= double > 1e-9 or single > 1e-6
    broken = subprocess.run(["node", WASM, "tests/fuzz/corpus/bvh/nan.bvh"], capture_output=True, text=True)
    if broken.returncode != 3 or "nan.bvh:20:3: the number is not finite" not in broken.stderr:
        sys.exit(f"a broken file gives {broken.returncode}: {broken.stderr}")
    sys.exit(1 if failed else 0)


main()
