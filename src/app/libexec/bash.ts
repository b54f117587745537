import { isObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { integer, object, optional, string } from "../../schema/define/schema.ts";
import { resolveTarget } from "../../system/paths/paths.ts";
import { SHOWN_TEXT_BYTES, MAX_TEXT_BYTES } from "../../tools/shared/answer-limits.ts";
import { runCommand } from "../../tools/running/run-command.ts";
import type { Program, StartOptions } from "./program.ts";
import { defined } from "../../util/json/defined.ts";

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 600;
/** The time to start, to end a process tree and to answer, on top of the command. */
const MARGIN_SECONDS = 5;

const input = object({
  command: string("The command line", { min: 1 }),
  cwd: optional(string("The folder to run it in (default: the current folder)", { min: 1 })),
  timeout_seconds: optional(integer("Time limit (seconds)", { min: 1, max: MAX_SECONDS }), DEFAULT_SECONDS),
});

/** Runs `shell` for one command to its end. Terminals and background processes need an engine. */
export const bash: Program = {
  name: "bash",
  description:
    "Runs a command line in bash (or sh) and returns its output and exit code. Standard input is empty. " +
    `The command and its child processes are ended after timeout_seconds (default: ${DEFAULT_SECONDS}, maximum: ${MAX_SECONDS}). ` +
    `Of output over ${MAX_TEXT_BYTES / 1024} KB, only the last ${SHOWN_TEXT_BYTES / 1024} KB are returned: write more to a file.`,
  parameters: {},
  returns: {
    stdout: { type: "string" },
    stderr: { type: "string" },
    exit_code: { type: ["integer", "null"], description: "null if a signal ended it" },
    signal: { type: ["string", "null"] },
  },
  example: { command: "git status --short" },
  timeoutSeconds: MAX_SECONDS + MARGIN_SECONDS,
  createTool: bashTool,
  toResult: ({ data }) => (isObject(data) ? data : {}),
};

function bashTool({ root, home, environment }: StartOptions): Tool {
  const base = { cwd: root, access: "read", ...defined({ home }) } as const;
  return defineTool({
    name: bash.name,
    description: bash.description,
    input,
    risk: "high",
    limitsOf: ({ timeout_seconds }) => ({ timeoutMs: timeout_seconds * 1000 }),
    check: ({ command }) =>
      command.includes("\0")
        ? [{ kind: "value", path: "/command", expected: "text without NUL", got: "a NUL character" }]
        : [],
    async facts({ command, cwd }) {
      const folder = await resolveTarget(cwd ?? root, base);
      return [{ kind: "command", text: command, cwd: folder.path }, folder];
    },
    run: (_input, context) => runCommand({ root, environment }, context),
  });
}
