import { attempt } from "../../../util/async/attempt.ts";
import { ToolError } from "../../../core/errors.ts";
import { describeEnd, runProcess, type ProcessEnd } from "../../../system/process/process.ts";
import { findMarked } from "../../../system/process/marker.ts";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type Json } from "../../../core/json.ts";
import { asText, parseJson } from "../../../util/json/parse-json.ts";

/** The time from TERM to KILL, as in the engine. */
export const GRACE_MS = 1000;
const MAX_STDOUT = 1024 * 1024;
const MAX_STDERR = 2000;

/** The program under check, and how to run it. */
export interface Subject {
  readonly path: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface RunOptions {
  readonly args?: readonly string[];
  /** Default: empty. */
  readonly stdin?: string;
  /** Keeps standard input open without writing to it. */
  readonly isInputOpen?: boolean;
  /** The time until TERM. */
  readonly limitMs: number;
}

/** The result of one run. */
export interface Run extends Omit<ProcessEnd, "left"> {
  readonly stdout: string;
  /** It printed more than the limit, and was ended. */
  readonly isTooLong: boolean;
  readonly stderr: string;
  /** The time until it ended or was signalled. */
  readonly durationMs: number;
  /** It hit the time limit. */
  readonly isLate: boolean;
  /** The time from TERM to its end. */
  readonly endingMs: number;
  /** Command lines of the processes that it left running, which were killed; undefined if the system does not tell. */
  readonly left: readonly string[] | undefined;
  /** The error if it could not be started. */
  readonly fault?: ToolError;
}

/** Runs the program once and leaves no process behind. Rejects only if the signal is aborted. */
export async function runOnce(subject: Subject, options: RunOptions): Promise<Run> {
  const [limit, tooLong] = [new AbortController(), new AbortController()];
  let marker = "";
  const { promise: isOver, resolve: finish } = Promise.withResolvers<void>();
  const output = { stdout: "", stderr: "", isTooLong: false };
  let endedAt = Number.NaN;
  const startedAt = performance.now();
  const timer = setTimeout(() => {
    endedAt = performance.now();
    limit.abort();
  }, options.limitMs);
  let outcome: ProcessEnd & { readonly fault?: ToolError };
  try {
    outcome = await runProcess({
      file: subject.path,
      args: options.args ?? [],
      cwd: subject.cwd,
      env: subject.environment,
      stdin:
        options.isInputOpen === true ? (input) => void isOver.then(() => input.end()) : (options.stdin ?? ""),
      signal: AbortSignal.any([subject.signal, limit.signal, tooLong.signal]),
      graceMs: GRACE_MS,
      // Reported below, then ended.
      rest: "ignore",
      onStart: (_pid, own) => (marker = own),
      onOutput(chunk) {
        collect(output, chunk);
        if (!output.isTooLong) return;
        clearTimeout(timer);
        tooLong.abort();
      },
    });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    outcome = { exitCode: null, signal: null, fault: error };
  } finally {
    clearTimeout(timer);
    finish();
  }
  const now = performance.now();
  const left = marker === "" ? [] : await endLeftBehind(marker);
  subject.signal.throwIfAborted();
  const isLate = limit.signal.aborted;
  return {
    ...outcome,
    ...output,
    isLate,
    durationMs: (isLate ? endedAt : now) - startedAt,
    endingMs: isLate ? now - endedAt : 0,
    left,
  };
}

function collect(
  output: { stdout: string; stderr: string; isTooLong: boolean },
  { stream, text }: { readonly stream: "stdout" | "stderr"; readonly text: string },
): void {
  if (stream === "stderr") {
    output.stderr = (output.stderr + text).slice(0, MAX_STDERR);
    return;
  }
  if (output.stdout.length + text.length > MAX_STDOUT) output.isTooLong = true;
  else output.stdout += text;
}

/** The time that a process may take to end after its parent. */
const LEAVING_MS = 500;
const POLL_MS = 20;

/**
 * Kills all processes with this marker, and returns their command lines.
 * Returns undefined on a system without /proc.
 */
async function endLeftBehind(marker: string): Promise<readonly string[] | undefined> {
  if (readOf("self", "environ") === undefined) return undefined;
  const until = performance.now() + LEAVING_MS;
  let left = await findMarked(marker);
  while (left.length > 0 && performance.now() < until) {
    await sleep(POLL_MS);
    left = await findMarked(marker);
  }
  const commands = left.map((pid) => (readOf(pid, "cmdline") ?? "").replaceAll("\0", " ").trim());
  // A process that has ended meanwhile cannot be killed.
  for (const pid of left) attempt(() => process.kill(pid, "SIGKILL"));
  return commands;
}

/** Returns an empty text for a zombie. */
function readOf(pid: number | "self", file: string): string | undefined {
  // Undefined if it is gone, or not ours.
  return attempt(() => readFileSync(`/proc/${pid}/${file}`, "latin1"));
}

/** The output of a program, as the engine reads it. */
type Answer =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "error"; readonly error: string }
  | { readonly kind: "none"; readonly why: string };

const MAX_SHOWN = 60;

/** Parses the JSON value on standard output; a text under `error` makes it a failure. */
export function readAnswer({ stdout, isTooLong }: Run): Answer {
  if (isTooLong) return { kind: "none", why: "printed over 1 MB" };
  const text = stdout.trim();
  if (text === "") return { kind: "none", why: "printed nothing on standard output" };
  const value = parseJson(text);
  if (value === undefined) return { kind: "none", why: describeInvalid(text) };
  const error = isObject(value) ? asText(value["error"]) : "";
  return error === "" ? { kind: "value", value } : { kind: "error", error };
}

/** Describes how a run ended. */
export function endOf(run: Run): string {
  const last = run.stderr.trim().split("\n").at(-1) ?? "";
  const how = describeEnd(run);
  return last === "" ? how : `${how}, printing: ${shown(last)}`;
}

function describeInvalid(text: string): string {
  const values = text.split("\n").filter((line) => parseJson(line) !== undefined);
  if (values.length > 1) return `printed ${values.length} JSON values instead of one`;
  return `printed something that is not JSON: ${shown(text)}`;
}

function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
