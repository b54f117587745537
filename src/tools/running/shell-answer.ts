import { Reply } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Captured, Tail } from "../../system/process/capture.ts";

/** How a command ended; both null where it has not. */
export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** What an answer says besides output and exit code. */
export interface Besides {
  /** Lines below the output. */
  readonly notes?: readonly string[];
  readonly data?: JsonObject;
}

/** The answer to a command: its output, cut where it was, and how it ended. */
export function answer(outcome: CommandOutcome, captured: Captured, besides: Besides = {}): Reply {
  const { all, artifactId } = captured;
  const output = all.text === "" ? "[no output]" : all.text;
  const lines = [output.replace(/\n$/, ""), ...ending(outcome), ...(besides.notes ?? [])].join("\n");
  const data = { ...toData(outcome, captured), ...besides.data };
  if (!all.isCut) return new Reply(lines, { data });
  return new Reply(`${cutNotice(captured)}\n${lines}`, {
    data,
    truncated: { shape: "log", total: all.total, ...(artifactId !== undefined && { artifactId }) },
  });
}

/** The error of a call that was cut short: the reason, with what was printed and how far it came. */
export function cutShort(
  reason: unknown,
  outcome: CommandOutcome,
  captured: Captured,
  besides: { readonly hint?: string; readonly data?: JsonObject } = {},
): ToolError {
  const error = reason instanceof ToolError ? reason : new ToolError("CANCELLED", "the call was cancelled");
  const hint = besides.hint ?? error.hint;
  return new ToolError(error.code, error.message, {
    ...(hint !== undefined && { hint }),
    details: { ...error.details, ...toData(outcome, captured), ...besides.data },
    cause: reason,
  });
}

/** Says how much of the output is shown, and where the rest is. */
function cutNotice({ all, artifactId }: Captured): string {
  const rest =
    artifactId === undefined ? "the rest was not kept" : `read_artifact id=${artifactId} reads the whole`;
  return `[truncated: the last ${all.text.length} of ${all.total} characters; ${rest}]`;
}

/** The line that names an exit code or a signal; none for a command that went well. */
function ending({ exitCode, signal }: CommandOutcome): readonly string[] {
  if (signal !== null) return [`[ended by ${signal}]`];
  return exitCode === 0 || exitCode === null ? [] : [`[exit code ${exitCode}]`];
}

function toData({ exitCode, signal }: CommandOutcome, { stdout, stderr }: Captured): JsonObject {
  return { stdout: shown(stdout), stderr: shown(stderr), exit_code: exitCode, signal };
}

function shown({ text, total, isCut }: Tail): string {
  return isCut ? `[truncated: the last ${text.length} of ${total} characters]\n${text}` : text;
}
