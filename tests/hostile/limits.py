# SPDX-License-Identifier: Apache-2.0
"""Runs the tool as a stranger's file deserves: with little time and little memory."""
import os
import resource
from dataclasses import dataclass

TOOL = os.environ.get("ULNA", "build/dev/apps/cli/ulna")
CPU_SECONDS = 2
MEMORY = 512 << 20


@dataclass
class Outcome:
    code: int  # below 0: the signal that ended it
    cpu: float  # seconds in user mode
    text: str  # what it wrote to stdout and stderr


def run(arguments, folder, cpu=CPU_SECONDS, memory=MEMORY):
    """The tool with these arguments in this folder. Python's own subprocess module takes longer than the tool."""
    log = os.path.join(folder, "log")
    pid = os.fork()
    if pid == 0:
        try:
            output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            nothing = os.open(os.devnull, os.O_RDONLY)
            os.dup2(nothing, 0)
            os.dup2(output, 1)
            os.dup2(output, 2)
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            tool = os.path.abspath(TOOL)
            os.chdir(folder)
            os.execv(tool, [tool, *arguments])
        finally:
            os._exit(127)
    _, status, usage = os.wait4(pid, 0)
    with open(log, "rb") as file:
        text = file.read(1 << 20).decode("utf-8", "replace")
    return Outcome(os.waitstatus_to_exitcode(status), usage.ru_utime, text)
