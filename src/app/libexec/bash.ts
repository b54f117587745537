import { isObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { integer, object, optional, string } from "../../schema/define/schema.ts";
import { resolveTarget } from "../../system/paths/paths.ts";
import { createRoster } from "../../system/process/roster.ts";
import { SHOWN_TEXT_BYTES, MAX_TEXT_BYTES } from "../../tools/shared/answer-limits.ts";
import { runCommand } from "../../tools/running/run-command.ts";
import type { Program, Surroundings } from "./program.ts";

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 600;
/** What starting, ending a process tree and answering may take besides the command itself. */
const MARGIN_SECONDS = 5;

const input = object({
  command: string("The command line", { min: 1 }),
  cwd: optional(string("The folder to run it in; left out: the current one", { min: 1 })),
  timeout_seconds: optional(
    integer("Ends the command after so long", { min: 1, max: MAX_SECONDS }),
    DEFAULT_SECONDS,
  ),
});

/** `shell` for one command to its end: what lives on between calls needs an engine. */
export const program: Program = {
  name: "bash",
  description:
    "Runs a command line in bash (or sh) and answers with its output and exit code. Standard input is empty. " +
    `It is ended after timeout_seconds (${DEFAULT_SECONDS} if left out, at most ${MAX_SECONDS}) with everything it started. ` +
    `Of output over ${MAX_TEXT_BYTES / 1024} KB only the last ${SHOWN_TEXT_BYTES / 1024} KB are given: write more to a file.`,
  parameters: {},
  returns: {
    stdout: { type: "string" },
    stderr: { type: "string" },
    exit_code: { type: ["integer", "null"], description: "null where a signal ended it" },
    signal: { type: ["string", "null"] },
  },
  example: { command: "git status --short" },
  timeoutSeconds: MAX_SECONDS + MARGIN_SECONDS,
  createTool: bashTool,
  toResult: ({ data }) => (isObject(data) ? data : {}),
};

function bashTool({ root, home, environment }: Surroundings): Tool {
  const base = { cwd: root, access: "read", ...(home !== undefined && { home }) } as const;
  return defineTool({
    name: program.name,
    description: program.description,
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
    run: (_input, context) => runCommand({ environment, roster: createRoster() }, context),
  });
}
