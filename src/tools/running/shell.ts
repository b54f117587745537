import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Problem } from "../../core/result.ts";
import {
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  string,
  type Infer,
} from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { defined } from "../../util/json/defined.ts";
import { resolveTarget } from "../../system/paths/paths.ts";
import { KEY_NAMES } from "../../system/terminal/keys.ts";
import { SHOWN_TEXT_BYTES, MAX_TEXT_BYTES } from "../shared/answer-limits.ts";
import { builtIn, valueProblem, namedAs } from "../shared/built-in-tool.ts";
import { runCommand, runInBackground } from "./run-command.ts";
import { runInTerminal, sendToTerminal } from "./run-in-terminal.ts";
import type { Running } from "./running.ts";

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 600;
/** How long an aborted call may take: time for KILL and for reading the output. */
const GRACE_MS = 2500;
/** A call that sends input returns at its time limit; the engine's deadline comes after that. */
const INPUT_MARGIN_MS = 1000;

const input = object({
  command: string("The command line; with is_input, the text or key to send"),
  cwd: optional(
    string("The working folder; default: the workspace, or the current folder of the terminal", { min: 1 }),
  ),
  timeout_seconds: optional(integer("Time limit in seconds", { min: 1, max: MAX_SECONDS }), DEFAULT_SECONDS),
  idle_timeout_seconds: optional(
    integer(
      "Ends the command after this time without output; in a terminal the command continues and the call returns",
      { min: 1, max: MAX_SECONDS },
    ),
  ),
  outside_sandbox: optional(
    boolean("Asks for approval to run a command that failed in a sandbox outside of it; default: false"),
  ),
  background: optional(boolean("Starts it and returns an id at once; timeouts do not apply"), false),
  description: optional(string("What it is for, in a few words, shown when approval is needed")),
  terminal_id: optional(
    string(
      "Runs it in the terminal with this name, opened at first use: folder, variables and jobs persist",
      {
        min: 1,
        max: 64,
      },
    ),
  ),
  is_input: optional(
    boolean(
      `Sends the command as input to the running program in the terminal; C-c, C-d and so on, and ${KEY_NAMES.join(", ")} ` +
        "are keys; an empty command only reads the output",
    ),
  ),
  no_enter: optional(boolean("With is_input: sends the text without Enter")),
});

export const SHELL = namedAs(
  "shell",
  input,
  oneOf([
    object({
      stdout: string(),
      stderr: string(),
      exit_code: nullable(integer()),
      signal: nullable(string()),
      terminal_id: optional(string()),
      terminal_state: optional(string()),
    }),
    object({ id: string(), pid: integer(), state: oneOf(["running"]) }),
  ]),
);

type ShellInput = Infer<typeof input>;

/** Runs a command line: to its end, in the background, or in a persistent terminal. */
export function shell(running: Running): Tool {
  const { root, home } = running;
  const base = { cwd: root, access: "read", ...defined({ home }) } as const;
  return builtIn({
    ...SHELL,
    aliases: ["bash", "terminal_execute"],
    description:
      "Runs a command line in bash (or sh) and returns its output and exit code. Standard input is empty, except in a terminal. " +
      `It ends after timeout_seconds (default: ${DEFAULT_SECONDS}, at most ${MAX_SECONDS}) with all processes it started; ` +
      "in a terminal it gets Ctrl-C. Processes that it leaves running end with it: use background for those. " +
      `Of output over ${MAX_TEXT_BYTES / 1024} KB the last ${SHOWN_TEXT_BYTES / 1024} KB are shown; read_artifact reads the whole. ` +
      `At most ${running.limits.processes} background processes and ${running.limits.terminals} terminals; all end with the session.`,
    risk: "high",
    place: "sandbox",
    group: "running",
    effects: "unsafe",
    limits: { shape: "log" },
    limitsOf: ({ timeout_seconds, idle_timeout_seconds, terminal_id, is_input }) => ({
      timeoutMs: timeout_seconds * 1000 + (is_input === true ? INPUT_MARGIN_MS : 0),
      graceMs: GRACE_MS,
      ...(idle_timeout_seconds !== undefined &&
        terminal_id === undefined && { idleTimeoutMs: idle_timeout_seconds * 1000 }),
    }),
    check: problemsOf,
    async facts({ command, cwd, terminal_id, outside_sandbox }, context) {
      const terminal = terminal_id === undefined ? undefined : running.terminalsOf(context).find(terminal_id);
      const folder = await resolveTarget(cwd ?? (await terminal?.folder()) ?? root, base);
      const interactive = terminal_id === undefined ? {} : ({ interactive: true } as const);
      // A terminal that is open here was opened outside the sandbox.
      const isOutside = outside_sandbox === true || (terminal !== undefined && running.isOutside === true);
      const outside = isOutside ? ({ outside: true } as const) : {};
      return [{ kind: "command", text: command, cwd: folder.path, ...interactive, ...outside }, folder];
    },
    attributes: ({ timeout_seconds, description, terminal_id, background }) => ({
      timeout_seconds,
      ...defined({ description, terminal_id }),
      ...(background && { background }),
    }),
    run(given, context) {
      const { terminal_id } = given;
      if (terminal_id === undefined) {
        if (given.background) return runInBackground(running, context);
        return runCommand(running, context, (tried) => runOutside(given, tried, context));
      }
      const inTerminal = { ...given, terminal_id };
      return given.is_input === true
        ? sendToTerminal(running, inTerminal, context)
        : runInTerminal(running, inTerminal, context);
    },
  });
}

/** Asks for approval to run a command outside the sandbox in which it was tried. Returns what it printed there if that is refused. */
async function runOutside(given: ShellInput, tried: Reply, { run, call }: ToolContext): Promise<Reply> {
  const result = await run(call.name, { ...given, outside_sandbox: true });
  if (result.ok) return new Reply(result.content, defined({ data: result.data }));
  const { code, message } = result.error;
  if (code !== "DENIED") throw new ToolError(code, message, result.error);
  const note = `[it ran only in a read-only sandbox; it was not approved to run outside: ${message}]`;
  return new Reply([...tried.content, { type: "text", text: note }], defined({ data: tried.data }));
}

/** Returns the problems of parameters that cannot be combined. */
function problemsOf(given: ShellInput): readonly Problem[] {
  const { command, background, terminal_id, is_input, no_enter, cwd } = given;
  const isInput = is_input === true;
  const wrong = (isWrong: boolean, path: string, expected: string, got = "given"): readonly Problem[] =>
    isWrong ? valueProblem(path, expected, got) : [];
  return [
    ...wrong(command === "" && !isInput, "/command", "a command line", "an empty text"),
    ...wrong(command.includes("\0"), "/command", "text without NUL characters", "a NUL character"),
    ...wrong(isInput && terminal_id === undefined, "/is_input", "only together with terminal_id"),
    ...wrong(no_enter === true && !isInput, "/no_enter", "only together with is_input"),
    ...wrong(isInput && cwd !== undefined, "/cwd", "no cwd with is_input"),
    ...wrong(background && terminal_id !== undefined, "/background", "false in a terminal", "true"),
  ];
}
