import { open } from "node:fs/promises";
import { constants } from "node:fs";
import { basename } from "node:path";
import { image, Reply, type Content } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
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
import { imageTypeOf } from "../../system/files/kind.ts";
import { createCapture, type Captured } from "../../system/process/capture.ts";
import { createRoster } from "../../system/process/roster.ts";
import type { CellAnswer } from "../../system/python/interpreter.ts";
import { quote } from "../../system/terminal/boot.ts";
import { SHOWN_TEXT_BYTES, MAX_TEXT_BYTES } from "../shared/answer-limits.ts";
import { builtIn, missingProblem, namedAs } from "../shared/built-in-tool.ts";
import { displayPath } from "../shared/facts.ts";
import { DEFAULT_LIMITS, type RunningOptions } from "../running/options.ts";
import { proxied } from "../running/proxied.ts";
import { abortedCommand, captureOptions, cutNotice, toData } from "../running/shell-answer.ts";
import {
  createInterpreters,
  DEFAULT_ID,
  InterpretersKey,
  type Interpreters,
  type NamedInterpreter,
} from "./interpreters.ts";
import { defined } from "../../util/json/defined.ts";

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 600;
/** How long an aborted call may take: time for the interruption, for KILL and for reading the output. */
const GRACE_MS = 6000;
const MAX_IMAGES = 8;
const MAX_IMAGE_MB = 5;

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

/** Returns the work that runs the code in an interpreter. */
function execute(root: string, code: string, context: ToolContext) {
  return (named: NamedInterpreter): Promise<Reply> => runCell(root, named, code, context);
}

async function runCell(
  root: string,
  { id, interpreter }: NamedInterpreter,
  code: string,
  context: ToolContext,
): Promise<Reply> {
  const capture = createCapture(captureOptions(context));
  const end = await interpreter.run(
    code,
    (chunk) => {
      context.emit(chunk);
      return capture.write(chunk);
    },
    context.signal,
  );
  const captured = await capture.close();
  const cell = { session_id: id, cell: interpreter.cells() };
  if (context.signal.aborted) {
    const hint =
      "answer" in end
        ? `the code was interrupted; the Python session ${id} goes on with its variables`
        : `the code did not react to the interruption, so the Python session ${id} was ended; its variables are lost`;
    const data = { ...cell, session_state: "answer" in end ? "ready" : "ended" };
    throw abortedCommand(context.signal.reason, NOT_ENDED, captured, { hint, data });
  }
  if ("ended" in end) {
    throw new ToolError("TOOL_FAILED", `the interpreter of the Python session ${id} is gone: ${end.ended}`, {
      hint: "its variables are lost; the next execute begins with a new interpreter",
      details: { ...toData(NOT_ENDED, captured), ...cell, session_state: "ended" },
    });
  }
  return answer({ root, captured, cell, given: end.answer });
}

const NOT_ENDED = { exitCode: null, signal: null };

interface CellReply {
  readonly root: string;
  readonly captured: Captured;
  readonly cell: JsonObject;
  readonly given: CellAnswer;
}

async function answer({ root, captured, cell, given }: CellReply): Promise<Reply> {
  const { value, exception } = given;
  const { all, artifactId } = captured;
  const { images, notes } = await readImages(root, given);
  const lines = [
    ...(all.isCut ? [cutNotice(captured)] : []),
    ...(all.text === "" ? [] : [all.text.replace(/\n$/, "")]),
    ...(value === null ? [] : [value]),
    ...notes,
  ];
  const text = lines.length === 0 ? "[no output]" : lines.join("\n");
  const { exit_code: _, signal: _signal, ...output } = toData(NOT_ENDED, captured);
  const data = { ...cell, ...output, value, exception: exception && { ...exception }, images: images.length };
  return new Reply([{ type: "text", text }, ...images], {
    data,
    ...(all.isCut && {
      truncated: { shape: "log", total: all.total, ...defined({ artifactId }) },
    }),
  });
}

/** Returns the images of a cell, and a line about each: where it is, or why it is not shown. */
async function readImages(
  root: string,
  { images: written, figures }: CellAnswer,
): Promise<{ readonly images: readonly Content[]; readonly notes: readonly string[] }> {
  const images: Content[] = [];
  const notes: string[] = [];
  const paths = [...written, ...figures];
  for (const path of paths.slice(0, MAX_IMAGES)) {
    const bytes = await readImage(path);
    const type = typeof bytes === "string" ? undefined : imageTypeOf(bytes);
    const name = figures.includes(path) ? basename(path) : displayPath(root, path);
    if (typeof bytes === "string") notes.push(`[${name} is not shown: ${bytes}]`);
    else if (type === undefined) notes.push(`[${name} is not shown: it is no image]`);
    else {
      images.push(image(bytes, type));
      notes.push(`[${name}: ${type}, ${bytes.length} bytes]`);
    }
  }
  if (paths.length > MAX_IMAGES) notes.push(`[${paths.length - MAX_IMAGES} more images are not shown]`);
  return { images, notes };
}

/** Returns the bytes of a file, or why there are none. */
async function readImage(path: string): Promise<Buffer | string> {
  try {
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (!stats.isFile()) return "it is no file";
    if (stats.size > MAX_IMAGE_MB * 1024 * 1024) return `it is larger than ${MAX_IMAGE_MB} MB`;
    return await handle.readFile();
  } catch {
    return "it cannot be read";
  }
}
