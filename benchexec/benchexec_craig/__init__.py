"""BenchExec tool-info module for Craig: use `tool="benchexec_craig.craig"` in a benchmark definition."""
