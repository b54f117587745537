import { ToolError } from "../../../core/errors.ts";
import type { SourceProblem } from "../../../core/source.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { INSTRUCTIONS } from "./definition.ts";
import { toolNameOf } from "./names.ts";
import type { PinChange } from "../types/source-types.ts";
import { defined } from "../../../util/json/defined.ts";

/** Limits of a problem message; `mcp approve` shows the whole difference. */
const MAX_LINES = 6;
const MAX_LINE_CHARACTERS = 400;

export function untrusted(server: string): SourceProblem {
  return {
    source: `mcp:${server}`,
    subject: server,
    reason: "untrusted",
    message: "the server is configured by this folder, which is not trusted; it was not started",
    hint: "run toolwright trust",
  };
}

/** Creates the problem of a tool that differs from its approved definition. */
export function changedSince(server: string, { tool, wasPinned, lines }: PinChange): SourceProblem {
  const isTool = tool !== INSTRUCTIONS;
  const changed = isTool
    ? "it has changed since it was approved"
    : "its instructions have changed since they were approved";
  const what = wasPinned ? changed : "it was added after the server was approved";
  const more = lines.length > MAX_LINES ? `; and ${lines.length - MAX_LINES} more` : "";
  return {
    source: `mcp:${server}`,
    subject: isTool ? toolNameOf(server, tool) : server,
    reason: "changed",
    message: `${what}: ${lines.slice(0, MAX_LINES).map(short).join("; ")}${more}`,
    hint: `run toolwright mcp approve ${server}`,
  };
}

function short(line: string): string {
  return line.length <= MAX_LINE_CHARACTERS ? line : `${line.slice(0, MAX_LINE_CHARACTERS).toWellFormed()}…`;
}

/** All other errors mean that the server is unreachable. */
const REASONS: ReadonlyMap<ToolError["code"], SourceProblem["reason"]> = new Map([
  ["TOOL_TIMEOUT", "timeout"],
  ["INVALID_OUTPUT", "failed"],
  ["UNAUTHORIZED", "unauthorized"],
]);

export function unreachable(server: string, error: unknown): SourceProblem {
  const { code, message, hint } =
    error instanceof ToolError ? error : new ToolError("UNAVAILABLE", errorMessage(error));
  return {
    source: `mcp:${server}`,
    subject: server,
    reason: REASONS.get(code) ?? "unreachable",
    message,
    ...defined({ hint }),
  };
}
