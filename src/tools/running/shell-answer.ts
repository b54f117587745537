import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { FindSecretsKey } from "../../core/session/find-secrets.ts";
import { ArtifactsKey } from "../../core/store/artifacts.ts";
import { defined } from "../../util/json/defined.ts";
import type { Captured, CaptureOptions, Tail } from "../../system/process/capture.ts";
import { MAX_TEXT_BYTES, SHOWN_TEXT_BYTES } from "../shared/answer-limits.ts";

/** Captures the end of the output for the answer, and the whole as an artifact. */
export function captureOptions(context: ToolContext): CaptureOptions {
  return {
    maxBytes: MAX_TEXT_BYTES,
    tailBytes: SHOWN_TEXT_BYTES,
    find: context.find(FindSecretsKey),
    spill: () => context.find(ArtifactsKey)?.create(),
  };
}

/** How a command ended; both null if it has not. */
export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Additions to an answer. */
export interface Additions {
  /** Lines below the output. */
  readonly notes?: readonly string[];
  readonly data?: JsonObject;
}

/** Returns the answer to a command: its output and how it ended. */
export function answer(outcome: CommandOutcome, captured: Captured, added: Additions = {}): Reply {
  const { all, artifactId } = captured;
  const output = all.text === "" ? "[no output]" : all.text;
  const lines = [output.replace(/\n$/, ""), ...ending(outcome), ...(added.notes ?? [])].join("\n");
  const data = { ...toData(outcome, captured), ...added.data };
  if (!all.isCut) return new Reply(lines, { data });
  return new Reply(`${cutNotice(captured)}\n${lines}`, {
    data,
    truncated: { shape: "log", total: all.total, ...defined({ artifactId }) },
  });
}

/** Creates the error of an aborted call, with the reason, the output and the state of the command. */
export function abortedCommand(
  reason: unknown,
  outcome: CommandOutcome,
  captured: Captured,
  added: { readonly hint?: string; readonly data?: JsonObject } = {},
): ToolError {
  const error = reason instanceof ToolError ? reason : new ToolError("CANCELLED", "the call was cancelled");
  const hint = added.hint ?? error.hint;
  return new ToolError(error.code, error.message, {
    ...defined({ hint }),
    details: { ...error.details, ...toData(outcome, captured), ...added.data },
    cause: reason,
  });
}

/** Describes how much of the output is shown and where the rest is. */
export function cutNotice({ all, artifactId }: Captured): string {
  const rest =
    artifactId === undefined ? "the rest was not stored" : `read_artifact id=${artifactId} reads the whole`;
  return `[truncated: the last ${all.text.length} of ${all.total} characters; ${rest}]`;
}

/** Returns the line with the exit code or signal; none for a command that succeeded. */
function ending({ exitCode, signal }: CommandOutcome): readonly string[] {
  if (signal !== null) return [`[ended by ${signal}]`];
  return exitCode === 0 || exitCode === null ? [] : [`[exit code ${exitCode}]`];
}

/** Returns a note for a command that left processes behind; none for others. */
export function restNotes({ left = 0 }: { readonly left?: number }): readonly string[] {
  if (left === 0) return [];
  const what =
    left === 1 ? "a process that it left running was" : `${left} processes that it left running were`;
  return [`[${what} ended; background: true starts a command that keeps running]`];
}

/** Returns the data of a command, or the details of its failure. */
export function toData({ exitCode, signal }: CommandOutcome, { stdout, stderr }: Captured): JsonObject {
  return { stdout: shown(stdout), stderr: shown(stderr), exit_code: exitCode, signal };
}

function shown({ text, total, isCut }: Tail): string {
  return isCut ? `[truncated: the last ${text.length} of ${total} characters]\n${text}` : text;
}
