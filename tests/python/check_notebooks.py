# SPDX-License-Identifier: Apache-2.0
"""The notebooks of the docs run as scripts, say something, and write the files that they name."""
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python" / "notebooks"


def main():
    scripts = sorted(FOLDER.glob("*.py"))
    if len(scripts) != 6:
        sys.exit(f"check_notebooks: {len(scripts)} notebooks, not six")
    for script in scripts:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-W", "error", script], cwd=folder, check=False, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                sys.exit(f"check_notebooks: {script.name} failed:\n{done.stdout}")
            print(f"{script.name}:\n{done.stdout}")
            written = set(re.findall(r'"([\w-]+\.(?:svg|png|glb|npz))"', script.read_text(encoding="utf-8")))
            missing = {name for name in written if "ulna-" not in name and not pathlib.Path(folder, name).stat().st_size}
            if missing or not done.stdout:
                sys.exit(f"check_notebooks: {script.name} said or wrote nothing: {missing}")


main()
