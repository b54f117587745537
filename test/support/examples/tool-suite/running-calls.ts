import { row, type SuiteCall } from "./row.ts";

/** Calls of the tools that run programs, in the workspace that `FILE_CALLS` leave. */
export const RUNNING_CALLS: readonly SuiteCall[] = [
  row("shell", { command: "echo out; pwd" }, "out\nWORKSPACE"),
  row("shell", { command: "echo out; echo err >&2; exit 3" }, "out\nerr\n[exit code 3]"),
  row("shell", { command: "cat nowhere" }, "cat: nowhere: No such file or directory\n[exit code 1]"),
  row("shell", { command: "pwd", cwd: "src" }, "WORKSPACE/src"),
  row(
    "shell",
    { command: "pwd", cwd: "nowhere" },
    "Error: cannot open WORKSPACE/nowhere: no such file or folder",
    { code: "TOOL_FAILED" },
  ),
  row("shell", { command: "kill -9 $$" }, "[no output]\n[ended by SIGKILL]"),
  row("shell", { command: "cat; test -t 0 || echo no terminal" }, "no terminal"),
  row(
    "shell",
    { command: "(sleep 600 >/dev/null 2>&1 &); echo left" },
    "left\n[a process that it left running was ended; background: true starts a command that keeps running]",
  ),
  row(
    "shell",
    { command: "printf %012000d 0" },
    "[truncated: the last 5120 of 12000 characters; read_artifact id=ID reads the whole]\n" +
      "0".repeat(5120),
  ),
  row("shell", { command: "printf 'caf\\303\\251 \\033[31mred\\033[0m\\n'" }, "café \u001b[31mred\u001b[0m"),
  row(
    "shell",
    { command: "" },
    'Error: invalid input for "shell": /command: expected a command line, got an empty text',
    { onHost: true, code: "INVALID_INPUT" },
  ),
  row("shell", { command: "cd src; here=kept; echo opened", terminal_id: "main" }, "opened"),
  row("shell", { command: "echo $here; basename $PWD", terminal_id: "main" }, "kept\nsrc"),
  row(
    "shell",
    { command: "echo begun; exec sleep 600", background: true },
    "[started bg1, pid PID; view_background_processes id=bg1 shows its output, stop_background_process id=bg1 ends it; it ends with the session, or after 60 minutes]",
  ),
  row(
    "view_background_processes",
    { id: "bg1" },
    "[bg1] pid PID, running for N s, 6 bytes: echo begun; exec sleep 600\nbegun",
    { awaited: "6 bytes" },
  ),
  row(
    "view_background_processes",
    { id: "bg1", mode: "since_last" },
    "[bg1] pid PID, running for N s, 6 bytes: echo begun; exec sleep 600\nbegun",
  ),
  row(
    "view_background_processes",
    { id: "bg1", mode: "since_last" },
    "[bg1] pid PID, running for N s, 6 bytes: echo begun; exec sleep 600\n[no output]",
  ),
  row(
    "stop_background_process",
    { id: "bg1" },
    "[bg1] pid PID, ended by SIGTERM, 6 bytes: echo begun; exec sleep 600",
  ),
  row(
    "shell",
    { command: "echo done; exit 4", background: true },
    "[started bg2, pid PID; view_background_processes id=bg2 shows its output, stop_background_process id=bg2 ends it; it ends with the session, or after 60 minutes]",
  ),
  row(
    "view_background_processes",
    { id: "bg2" },
    "[bg2] pid PID, exit code 4, 5 bytes: echo done; exit 4\ndone",
    { awaited: "exit code 4" },
  ),
  row(
    "view_background_processes",
    {},
    "[bg1] pid PID, ended by SIGTERM, 6 bytes: echo begun; exec sleep 600\n[bg2] pid PID, exit code 4, 5 bytes: echo done; exit 4",
  ),
  row(
    "view_background_processes",
    { id: "bg9" },
    'Error: unknown background process "bg9"\nknown: bg1, bg2',
    { code: "TOOL_FAILED" },
  ),
  row("python_action", { action: "execute", code: "import os, sys\nx = 41\nprint('printed')" }, "printed"),
  row("python_action", { action: "execute", code: "x + 1" }, "42"),
  row(
    "python_action",
    { action: "execute", code: "y = 1\nraise ValueError('bad')" },
    "Traceback (most recent call last):\n  File \"<cell 3>\", line 2, in <module>\n    raise ValueError('bad')\nValueError: bad",
  ),
  row(
    "python_action",
    { action: "execute", code: "print('to stderr', file=sys.stderr)\nos.getcwd()" },
    "to stderr\n'WORKSPACE'",
  ),
  row(
    "python_action",
    { action: "execute", code: "open('nowhere')" },
    "Traceback (most recent call last):\n  File \"<cell 5>\", line 1, in <module>\n    open('nowhere')\nFileNotFoundError: [Errno 2] No such file or directory: 'nowhere'",
  ),
  row(
    "python_action",
    {
      action: "execute",
      code: "import base64\nopen('dot.png', 'wb').write(base64.b64decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=='))",
    },
    "70\n[dot.png: image/png, 70 bytes]\n(image)",
  ),
  row("read_file", { path: "dot.png" }, "dot.png (image/png, 70 bytes)\n(image)"),
  row(
    "python_action",
    { action: "execute", code: "x", session_id: "other" },
    'Error: there is no Python session "other", or it has ended\nopen: default; new_session opens one, and execute without session_id uses the session "default"',
    { code: "TOOL_FAILED" },
  ),
  row(
    "python_action",
    { action: "new_session", session_id: "third" },
    "[opened the Python session third: ready, 0 cells, Python VERSION, pid PID]",
  ),
  row(
    "python_action",
    { action: "list_sessions" },
    "default: ready, 6 cells, Python VERSION, pid PID\nthird: ready, 0 cells, Python VERSION, pid PID",
  ),
  row("python_action", { action: "close", session_id: "third" }, "[the Python session third has ended]"),
  row(
    "python_action",
    { action: "execute" },
    'Error: invalid input for "python_action": /code is missing: expected code for execute',
    { onHost: true, code: "INVALID_INPUT" },
  ),
  row(
    "batch",
    {
      invocations: [
        { tool: "read_file", arguments: { path: "docs/two.md" } },
        { tool: "shell", arguments: { command: "exit 5" } },
        { tool: "read_file", arguments: { path: "nowhere" } },
      ],
    },
    "[3 calls, 1 failed]\n[1] read_file: ok\n     1\t# Two\n     2\t\n     3\t  gamma\n     4\t  eta\n[2] shell: ok\n[no output]\n[exit code 5]\n[3] read_file: TOOL_FAILED\nError: nowhere does not exist\nuse glob or ls to find it",
    { onHost: true },
  ),
  row(
    "run_code",
    {
      code: "const { text } = await tools.read_file({ path: 'docs/two.md' });\nconst { data } = await tools.shell({ command: 'exit 6' });\nconsole.log(data.exit_code);\nreturn text.length;",
    },
    "6\n48",
    { onHost: true },
  ),
];
