import { ToolError } from "../../core/errors.ts";
import type { SourceProblem } from "../../core/source.ts";
import { MARK } from "./modules.ts";

/** Why something cannot be used. */
export type Trouble = Pick<SourceProblem, "reason" | "message" | "hint">;

const REASONS: readonly SourceProblem["reason"][] = ["bad_name", "bad_schema", "name_taken", "too_large"];

/** The first place in a stack that belongs to an extension. */
const PLACE = new RegExp(`file:\\S*/([^/\\s]+)\\?${MARK}=[^:\\s]*:(\\d+):\\d+`);

/** Makes a trouble of whatever an extension has thrown. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof SyntaxError)
    return { reason: "failed", message: messageOf(error), hint: "node --check FILE shows where" };
  if (!(error instanceof ToolError)) return { reason: "failed", message: messageOf(error) };
  const { code, message, hint, details } = error;
  const told = REASONS.find((reason) => reason === details?.["reason"]);
  const reason = told ?? (code === "TOOL_TIMEOUT" ? "timeout" : "failed");
  return { reason, message, ...(hint !== undefined && { hint }) };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${typeof error === "string" ? error : typeof error}`;
  const [, file = "", line] = PLACE.exec(error.stack ?? "") ?? [];
  const where = line === undefined ? "" : ` (${file}, line ${line})`;
  return `${error.name}: ${error.message}${where}`;
}
