import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Problem } from "../../core/result.ts";
import { SessionKey } from "../../core/session/session.ts";
import type { Tool } from "../../core/tool.ts";
import {
  boolean,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  string,
  type Infer,
} from "../../schema/define/schema.ts";
import { createRoster } from "../../system/process/roster.ts";
import { quote } from "../../system/terminal/boot.ts";
import { SHOWN_TEXT_BYTES, MAX_TEXT_BYTES } from "../shared/answer-limits.ts";
import { builtIn, missingProblem, namedAs } from "../shared/built-in-tool.ts";
import { DEFAULT_LIMITS, type RunningOptions } from "../running/options.ts";
import { proxied } from "../running/proxied.ts";
import {
  createInterpreters,
  DEFAULT_ID,
  InterpretersKey,
  type Interpreters,
  type NamedInterpreter,
} from "./interpreters.ts";
import { MAX_IMAGES, MAX_IMAGE_MB, execute } from "./run-cell.ts";

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 600;
/** How long an aborted call may take: time for the interruption, for KILL and for reading the output. */
const GRACE_MS = 6000;

const input = object({
  action: oneOf(
    ["new_session", "execute", "close", "list_sessions"],
    "execute: runs code; the others open, end and list interpreters",
  ),
  code: optional(string("The code, for execute", { min: 1 })),
  session_id: optional(
    string(
      `The interpreter; default: "${DEFAULT_ID}", which the first execute opens; for new_session a new id`,
      {
        min: 1,
        max: 64,
      },
    ),
  ),
  timeout_seconds: optional(integer("Time limit in seconds", { min: 1, max: MAX_SECONDS }), DEFAULT_SECONDS),
  outside_sandbox: optional(
    boolean(
      "Asks for approval to run code that failed in a sandbox on the host, in an interpreter of its own there; default: false",
    ),
  ),
});

const session = object({
  session_id: string(),
  state: oneOf(["ready", "busy"]),
  cells: integer(),
  pid: integer(),
  version: string(),
  executable: string(),
});

export const PYTHON_ACTION = namedAs(
  "python_action",
  input,
  oneOf([
    object({
      session_id: string(),
      cell: integer(),
      stdout: string(),
      stderr: string(),
      value: nullable(string()),
      exception: nullable(
        object({ type: string(), message: string(), line: nullable(integer()), is_system: boolean() }),
      ),
      images: integer(),
    }),
    session,
    object({ sessions: list(session) }),
    object({ session_id: string(), state: oneOf(["ended"]) }),
  ]),
);

type PythonInput = Infer<typeof input>;

/** Runs Python code in an interpreter that lasts for the session. */
export function pythonAction(options: RunningOptions): Tool {
  const { root, environment: env, launcher } = options;
  const { interpreters: maxOpen } = { ...DEFAULT_LIMITS, ...options.limits };
  const roster = createRoster(options.stateFolder);
  const interpretersOf = (context: ToolContext): Interpreters =>
    context
      .get(SessionKey)
      .getOrCreate(InterpretersKey, () => createInterpreters({ cwd: root, roster, launcher }, maxOpen));
  return builtIn({
    ...PYTHON_ACTION,
    description:
      "Runs Python code in an interpreter of the session: variables, imports and functions last from call to call. Returns what it prints, the " +
      "value of the last expression, or the traceback, in which lines are those of <cell N>, the N-th code of the interpreter. Images that it writes, " +
      `and open matplotlib figures, are returned as images: up to ${MAX_IMAGES}, of ${MAX_IMAGE_MB} MB. Standard input is empty. It begins in the workspace. ` +
      `After timeout_seconds (default: ${DEFAULT_SECONDS}, at most ${MAX_SECONDS}) the code is interrupted; the variables last if it reacts to that. ` +
      "Code waits, within its time limit, for code that was sent to the same interpreter before it. " +
      `Of output over ${MAX_TEXT_BYTES / 1024} KB the last ${SHOWN_TEXT_BYTES / 1024} KB are shown; read_artifact reads the whole. ` +
      `At most ${maxOpen} interpreters; all end with the session.`,
    risk: "high",
    place: "sandbox",
    group: "running",
    effects: "unsafe",
    limits: { shape: "log" },
    riskOf: ({ action }) => (action === "execute" ? "high" : "low"),
    limitsOf: ({ timeout_seconds }) => ({ timeoutMs: timeout_seconds * 1000, graceMs: GRACE_MS }),
    check: problemsOf,
    // Judged as the shell command that would run the same code.
    facts: ({ code, outside_sandbox }) =>
      code === undefined
        ? []
        : [
            {
              kind: "command",
              text: `python3 -c ${quote(code)}`,
              cwd: root,
              ...(outside_sandbox === true && { outside: true as const }),
            },
          ],
    attributes: ({ action, session_id = DEFAULT_ID }) => ({ action, session_id }),
    async run({ action, code = "", session_id }, context) {
      const interpreters = interpretersOf(context);
      const id = session_id ?? DEFAULT_ID;
      // Only an interpreter that is opened now can be led through the session's proxy.
      const environment = await proxied(env, context);
      const turn = { env: environment, signal: context.signal };
      if (action === "execute") return interpreters.use(id, turn, execute(root, code, context));
      if (action === "new_session") {
        const named = await interpreters.open(session_id, environment);
        return new Reply(`[opened the Python session ${lineOf(named)}]`, { data: dataOf(named) });
      }
      if (action === "close") {
        await interpreters.close(id);
        return new Reply(`[the Python session ${id} has ended]`, {
          data: { session_id: id, state: "ended" },
        });
      }
      const list = interpreters.list();
      const text = list.length === 0 ? "[no Python session is open]" : list.map(lineOf).join("\n");
      return new Reply(text, { data: { sessions: list.map(dataOf) } });
    },
  });
}

/** Returns the problems of parameters that cannot be combined. */
function problemsOf({ action, code }: PythonInput): readonly Problem[] {
  if (action === "execute") return missingProblem("code", code, "execute");
  return code === undefined
    ? []
    : [{ kind: "value", path: "/code", expected: "only together with action execute", got: "given" }];
}

function lineOf({ id, interpreter }: NamedInterpreter): string {
  const { pid, version, executable } = interpreter;
  const state = interpreter.isBusy() ? "busy" : "ready";
  return `${id}: ${state}, ${interpreter.cells()} cells, Python ${version}, ${executable}, pid ${pid}`;
}

function dataOf({ id, interpreter }: NamedInterpreter): JsonObject {
  const { pid, version, executable } = interpreter;
  const state = interpreter.isBusy() ? "busy" : "ready";
  return { session_id: id, state, cells: interpreter.cells(), pid, version, executable };
}
