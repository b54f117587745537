import { accessSync, constants, statSync } from "node:fs";
import type { JsonObject } from "../../../core/json.ts";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { loadFull } from "../../../json-schema/compile-schema.ts";
import { createValidator } from "../../../schema/validate.ts";
import { schemaTimeoutMs } from "../../../sources/external/discover.ts";
import { checkSchema } from "./check-schema.ts";
import { fail, pass, skipped, type Finding } from "./finding.ts";
import { endOf, readAnswer, runOnce, GRACE_MS, type Run, type Subject } from "./run-once.ts";
import { describeProblems } from "../../../json-schema/problems/findings.ts";
import { systemCode } from "../../../system/paths/file-fault.ts";
import { loadPty } from "../../../system/native-packages.ts";
import { MARKER, createMarker, recordStart } from "../../../system/process/marker.ts";
import { endTree } from "../../../system/process/tree.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";

const WRITABLE_BY_OTHERS = 0o002;
/** The time limit of a run that has nothing to do. */
const LIMIT_MS = 5000;
/** The time limit for a call with arguments. */
const CALL_MS = 30_000;
/** The minimum wait until the program has started and only waits for its input. */
const SETTLED_MS = 200;

interface CheckOptions extends Subject {
  /** A valid input. Without it, the program is never called. */
  readonly args?: JsonObject;
}

export interface CheckedTool {
  readonly findings: readonly Finding[];
  /** Undefined if the program did not give one. */
  readonly name?: string | undefined;
}

/**
 * Checks a program against the contract of external tools, with what the engine sends: `--schema`, and input that matches the
 * schema. Without `args`, the program never gets input that it could act on. Throws if `args` do not match the schema of the program. Leaves no process behind.
 */
export async function checkTool(options: CheckOptions): Promise<CheckedTool> {
  const file = checkFile(options.path);
  if (file.state === "fail") return { findings: [file] };
  // The same limit as that of a scan for tools.
  const limitMs = schemaTimeoutMs();
  const ask = (): Promise<Run> => runOnce(options, { args: ["--schema"], limitMs });
  const first = await ask();
  // The first start of an interpreter can take longer than all others.
  const reply = first.isLate ? await ask() : first;
  // Its schema may need the full validator.
  await loadFull();
  const { findings, isTool, input, name } = checkSchema(reply, limitMs);
  const ofSchema = [file, ...findings];
  if (!isTool) return { findings: [...ofSchema, skipped("call", NOT_RUN)] };
  if (input !== undefined && options.args !== undefined) assertMatches(input, options.args);
  const [unread, terminal, calls] = await Promise.all([
    askWithOpenInput(options),
    checkTerminal(options, LIMIT_MS),
    callWith(options, input),
  ]);
  // Runs alone, so that starting takes no longer than before.
  const settledMs = Math.max(SETTLED_MS, 2 * reply.durationMs);
  const term = await runOnce(options, { isInputOpen: true, limitMs: settledMs });
  const left = checkLeft([reply, unread.run, ...calls.runs, term]);
  return { findings: [...ofSchema, unread.finding, calls.finding, checkTerm(term), terminal, left], name };
}

const NOT_RUN = "skipped because --schema failed: it may not be a tool";

function assertMatches(input: JsonObject, args: JsonObject): void {
  const checked = createValidator(input).check(structuredClone(args));
  if (checked.ok) return;
  throw new ToolError(
    "INVALID_INPUT",
    `--args do not match its schema: ${describeProblems(checked.problems)}`,
  );
}

async function askWithOpenInput(subject: Subject) {
  const check = "schema.input";
  const run = await runOnce(subject, { args: ["--schema"], isInputOpen: true, limitMs: LIMIT_MS });
  if (!run.isLate) return { run, finding: pass(check, "--schema does not wait for standard input") };
  const fix = "answer --schema before reading standard input";
  return { run, finding: fail(check, "--schema waits for standard input to end", fix) };
}

async function callWith(options: CheckOptions, input: JsonObject | undefined) {
  const { args } = options;
  if (args === undefined || input === undefined) {
    const why = args === undefined ? "pass --args to test a call" : "its parameters are unusable";
    return { finding: skipped("call", why), runs: [] };
  }
  const run = await runOnce(options, { stdin: JSON.stringify(args), limitMs: CALL_MS });
  return { finding: checkCall(run), runs: [run] };
}

const ONE_VALUE = "print exactly one JSON value to standard output; print everything else to standard error";

/** Checks that a valid call is answered with one value. */
function checkCall(run: Run): Finding {
  const check = "call";
  if (run.isLate) return fail(check, "the call timed out", "set timeout_seconds in the schema");
  const answer = readAnswer(run);
  if (answer.kind === "error")
    return fail(check, `the call failed: ${answer.error}`, "pass other --args, or fix the tool");
  if (run.exitCode !== 0 && !run.isTooLong)
    return fail(check, `it ${endOf(run)}`, "exit with 0 after a successful call");
  if (answer.kind === "none") return fail(check, `it ${answer.why}`, ONE_VALUE);
  return pass(check, "the call is answered with one JSON value");
}

/** Checks that it is a file that this user can run and that other users cannot write. */
function checkFile(path: string): Finding {
  const check = "executable";
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return fail(check, "it is not a regular file", "pass the path of the program");
    accessSync(path, constants.X_OK);
    if ((stats.mode & WRITABLE_BY_OTHERS) !== 0)
      return fail(check, "every user can write it", `chmod o-w ${JSON.stringify(path)}`);
    return pass(check, "it is an executable file");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return fail(check, "it does not exist", "check the path");
    if (code === "EACCES") return fail(check, "it is not executable", `chmod +x ${JSON.stringify(path)}`);
    return fail(check, `cannot read it: ${code ?? errorMessage(error)}`, "check the path");
  }
}

/** Checks that TERM ends a run that waits for its input. */
function checkTerm(run: Run): Finding {
  const check = "term";
  if (!run.isLate) return skipped(check, "it does not wait for its input, so TERM could not be tested");
  if (run.signal !== "SIGKILL" && run.endingMs < GRACE_MS) return pass(check, "TERM ends it");
  const fix = "handle TERM and end all child processes; KILL follows";
  return fail(check, `TERM did not end it within ${GRACE_MS / 1000} s`, fix);
}

/** Checks that no run left a process behind. */
function checkLeft(runs: readonly Run[]): Finding {
  const check = "processes";
  if (runs.some((run) => run.left === undefined)) return skipped(check, "needs /proc");
  const [first] = runs.flatMap((run) => run.left ?? []);
  if (first === undefined) return pass(check, "no process is left running");
  return fail(check, `it left running: ${first}`, "wait for child processes, or end them, before answering");
}

/** Checks that it does not prompt if it has a terminal. */
async function checkTerminal(subject: Subject, limitMs: number): Promise<Finding> {
  const check = "terminal";
  const pty = await loadPty().catch(() => undefined);
  if (pty === undefined) return skipped(check, "no terminal can be opened on this system");
  const script = 'printf "no JSON" | "$0" >/dev/null 2>&1';
  const marker = createMarker();
  const terminal = pty.spawn("/bin/sh", ["-c", script, subject.path], {
    cwd: subject.cwd,
    env: { ...subject.environment, [MARKER]: marker },
  });
  const recordEnd = recordStart(terminal.pid);
  const exited = Promise.withResolvers<boolean>();
  terminal.onData(() => undefined);
  terminal.onExit(() => exited.resolve(true));
  const exitedOrAborted = untilAborted(exited.promise, subject.signal).catch(() => false);
  const hasEnded = await withTimeout(exitedOrAborted, limitMs, () => false);
  await endTree(hasEnded ? undefined : terminal.pid, GRACE_MS, marker);
  recordEnd();
  subject.signal.throwIfAborted();
  if (hasEnded) return pass(check, "it does not prompt on the terminal");
  return fail(check, "it waits for the terminal", "read all input from standard input; never prompt");
}
