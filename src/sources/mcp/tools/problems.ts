import { ToolError } from "../../../core/errors.ts";
import type { SourceProblem } from "../../../core/source.ts";
import { toolNameOf } from "./names.ts";
import type { PinChange } from "./pin-changes.ts";

/** A problem says what it is about; `mcp approve` shows all of it. */
const MAX_LINES = 6;
const MAX_LINE_CHARACTERS = 400;

export function untrusted(server: string): SourceProblem {
  return {
    source: `mcp:${server}`,
    subject: server,
    reason: "untrusted",
    message: "the server came with this folder and is not trusted; it was not started",
    hint: "run toolwright trust",
  };
}

/** A tool that is not what the user has seen, with what is different. */
export function changedSince(server: string, { tool, wasPinned, lines }: PinChange): SourceProblem {
  const what = wasPinned
    ? "it has changed since it was approved"
    : "it was added after the server was approved";
  const more = lines.length > MAX_LINES ? `; and ${lines.length - MAX_LINES} more` : "";
  return {
    source: `mcp:${server}`,
    subject: toolNameOf(server, tool),
    reason: "changed",
    message: `${what}: ${lines.slice(0, MAX_LINES).map(short).join("; ")}${more}`,
    hint: `run toolwright mcp approve ${server}`,
  };
}

function short(line: string): string {
  return line.length <= MAX_LINE_CHARACTERS ? line : `${line.slice(0, MAX_LINE_CHARACTERS).toWellFormed()}…`;
}

/** One that answers, but nothing that can be used, was reached. */
const REASONS: ReadonlyMap<ToolError["code"], SourceProblem["reason"]> = new Map([
  ["TOOL_TIMEOUT", "timeout"],
  ["INVALID_OUTPUT", "failed"],
]);

export function unreachable(server: string, error: unknown): SourceProblem {
  const { code, message, hint } =
    error instanceof ToolError ? error : new ToolError("UNAVAILABLE", String(error));
  return {
    source: `mcp:${server}`,
    subject: server,
    reason: REASONS.get(code) ?? "unreachable",
    message,
    ...(hint !== undefined && { hint }),
  };
}
