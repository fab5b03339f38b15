"""Tool-info module for Craig.

The verdict is the last line (`verdict: safe|unsafe|unknown`) together with the exit status, which must
say the same; the violated property stands in parentheses on the line `Violated: ...`.
"""

import re

import benchexec.result as result
import benchexec.tools.template

VERDICTS = {"verdict: safe": 0, "verdict: unsafe": 1, "verdict: unknown": 2}
VIOLATED = re.compile(r"^Violated: .*\(([a-z-]+)\)\s*$")
STATISTIC = re.compile(r"^\s+([a-z_]+): ([0-9.]+)\s*$")


class Tool(benchexec.tools.template.BaseTool2):
    """Craig, an interpolation-based software model checker."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("craig", subdir="bin")

    def name(self):
        return "Craig"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="craig")

    def cmdline(self, executable, options, task, rlimits):
        cmd = [executable, "check", *options]
        if task.property_file:
            cmd += ["--property", task.property_file]
        if isinstance(task.options, dict):
            model = task.options.get("data_model")
            if model:
                cmd.append({"ILP32": "--32", "LP64": "--64"}[model])
        if rlimits.cputime and "--time" not in options:
            # Ends by itself, with a reason, before it is ended.
            cmd += ["--time", str(max(1, int(rlimits.cputime * 0.98)))]
        if rlimits.memory and "--memory" not in options:
            cmd += ["--memory", str(int(rlimits.memory * 0.95) >> 20)]
        return [*cmd, *task.input_files_or_identifier]

    def determine_result(self, run):
        verdict = next((l for l in reversed(list(run.output)) if l in VERDICTS), None)
        if verdict is None:
            return result.RESULT_ERROR if run.exit_code.value == 3 else result.RESULT_UNKNOWN
        if run.exit_code.value != VERDICTS[verdict]:
            return result.RESULT_ERROR + " (verdict and exit status differ)"
        if verdict == "verdict: safe":
            return result.RESULT_TRUE_PROP
        if verdict == "verdict: unsafe":
            return self._violation(run.output)
        if run.output.any_line_contains("time limit"):
            return result.RESULT_TIMEOUT
        if run.output.any_line_contains("memory limit"):
            return "OUT OF MEMORY"
        return result.RESULT_UNKNOWN

    def _violation(self, output):
        for line in output:
            found = VIOLATED.match(line)
            if found:
                name = found.group(1)
                if name == "unreach-call":
                    return result.RESULT_FALSE_REACH
                return f"{result.RESULT_FALSE_PROP}({name})"
        return result.RESULT_FALSE_PROP

    def get_value_from_output(self, output, identifier):
        """Columns are statistics of `--stats`, by name."""
        for line in output:
            found = STATISTIC.match(line)
            if found and found.group(1) == identifier:
                return found.group(2)
        return None
