import { ToolError } from "../../core/errors.ts";
import type { Problem } from "../runnable-names.ts";
import { defined } from "../../util/json/defined.ts";
import { MARK } from "./modules.ts";

const REASONS: readonly Problem["reason"][] = ["bad_name", "bad_schema", "name_taken", "too_large"];

/** Matches the first stack frame of an extension. */
const PLACE = new RegExp(`file:\\S*/([^/\\s]+)\\?${MARK}=[^:\\s]*:(\\d+):\\d+`);

/** Converts what an extension has thrown to a problem. */
export function problemOf(error: unknown): Problem {
  if (error instanceof SyntaxError)
    return { reason: "failed", message: messageOf(error), hint: "node --check FILE shows where" };
  if (!(error instanceof ToolError)) return { reason: "failed", message: messageOf(error) };
  const { code, message, hint, details } = error;
  const known = REASONS.find((reason) => reason === details?.["reason"]);
  const reason = known ?? (code === "TOOL_TIMEOUT" ? "timeout" : "failed");
  return { reason, message, ...defined({ hint }) };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${typeof error === "string" ? error : typeof error}`;
  const [, file = "", line] = PLACE.exec(error.stack ?? "") ?? [];
  const where = line === undefined ? "" : ` (${file}, line ${line})`;
  return `${error.name}: ${error.message}${where}`;
}
