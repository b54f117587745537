import { ToolError } from "../../../core/errors.ts";
import type { HookDecision, HookMoment } from "../../../core/hook.ts";
import { createCapture } from "../../../system/process/capture.ts";
import { runProcess } from "../../../system/process/process.ts";
import type { Roster } from "../../../system/process/roster.ts";
import type { OutputChunk } from "../../../system/process/output.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { nearNames } from "../../../util/text/near-names.ts";

interface CommandOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Where it runs. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Records the program until nothing of it runs. */
  readonly roster?: Roster | undefined;
}

const MAX_ANSWER_BYTES = 1024 * 1024;
const STDERR_LIMITS = { maxBytes: 2000, tailBytes: 2000, spill: () => undefined };

/**
 * Runs a hook's program, without a shell: the moment as JSON on its standard input, its decision as JSON from its standard
 * output. What it leaves behind ends with it, and an abort ends everything it started. Throws a `ToolError` if it cannot be started, fails or
 * prints something else.
 */
export async function runCommand(
  [file, ...args]: readonly [string, ...string[]],
  moment: HookMoment,
  { environment, cwd, signal, roster }: CommandOptions,
): Promise<HookDecision | undefined> {
  const tooMuch = new AbortController();
  const stdin = JSON.stringify({ ...moment, workspace: cwd });
  const errors = createCapture(STDERR_LIMITS);
  let stdout = "";
  const onOutput = (chunk: OutputChunk): void => {
    if (chunk.stream === "stderr") void errors.write(chunk);
    else if (!tooMuch.signal.aborted) stdout += chunk.text;
    if (stdout.length > MAX_ANSWER_BYTES) tooMuch.abort();
  };
  const ending = AbortSignal.any([signal, tooMuch.signal]);
  const program = { file, args, cwd, env: environment, stdin, roster };
  const end = await runProcess({ ...program, signal: ending, onOutput });
  signal.throwIfAborted();
  const stderr = errors.peek().stderr.text;
  if (tooMuch.signal.aborted) throw failed("it printed more than 1 MB", stderr);
  if (end.signal !== null) throw failed(`it was ended by ${end.signal}`, stderr);
  if (end.exitCode !== 0) throw failed(`it exited with ${end.exitCode}`, stderr);
  try {
    return readDecision(stdout);
  } catch (error) {
    throw failed(errorMessage(error), stderr);
  }
}

function failed(what: string, stderr: string): ToolError {
  const output = stderr.trim();
  return new ToolError("TOOL_FAILED", output === "" ? what : `${what}: ${output}`);
}

const KEYS = ["decision", "reason", "input", "note"];
/** `allow` means pass: a hook cannot allow anything. */
const DECISIONS = ["refuse", "ask", "pass", "allow"] as const;
const NO_REASON = "it gives no reason";
const MAX_SHOWN = 120;

/** Parses the output of a program as a decision; empty output is a pass. Throws on anything else. */
function readDecision(printed: string): HookDecision | undefined {
  if (printed.trim() === "") return undefined;
  const answer = readAnswer(printed);
  const { decision = "pass", input } = answer;
  const kind = DECISIONS.find((one) => one === decision);
  if (kind === undefined) throw wrong("decision", decision, DECISIONS.join(", "));
  const reason = textOf(answer, "reason") ?? NO_REASON;
  const note = textOf(answer, "note");
  if (input !== undefined && !isObject(input)) throw wrong("input", input, "an object");
  if (kind === "refuse") return { kind, reason };
  // Only one of both can be applied, and neither may be ignored.
  if (input !== undefined && kind === "ask") {
    const message = "it answered an input and ask at once: it must ask when its input is in place";
    throw new ToolError("INVALID_OUTPUT", message);
  }
  if (input !== undefined) return { kind: "rewrite", input };
  if (kind === "ask") return { kind, reason };
  return note === undefined ? undefined : { kind: "note", text: note };
}

function textOf(answer: JsonObject, key: "reason" | "note"): string | undefined {
  const value = answer[key];
  if (value === undefined || typeof value === "string") return value;
  throw wrong(key, value, "a text");
}

/** Throws on an unknown key: it may be a misspelt refusal. */
function readAnswer(printed: string): JsonObject {
  const answer = parse(printed);
  if (!isObject(answer)) throw wrong("answer", answer, "an object");
  const unknown = Object.keys(answer).find((key) => !KEYS.includes(key));
  if (unknown === undefined) return answer;
  const near = nearNames(unknown, KEYS);
  const meant = near.length > 0 ? `, did it mean ${near.join(" or ")}?` : `, known are ${KEYS.join(", ")}`;
  throw new ToolError("INVALID_OUTPUT", `it answered ${JSON.stringify(unknown)}${meant}`);
}

function parse(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch (error) {
    const printedHead = printed.trim().slice(0, MAX_SHOWN);
    throw new ToolError("INVALID_OUTPUT", `it printed something else than one JSON object: ${printedHead}`, {
      cause: error,
    });
  }
}

function wrong(what: string, got: unknown, expected: string): ToolError {
  const answerHead = JSON.stringify(got)?.slice(0, MAX_SHOWN);
  return new ToolError("INVALID_OUTPUT", `its ${what} is ${answerHead}, expected ${expected}`);
}
