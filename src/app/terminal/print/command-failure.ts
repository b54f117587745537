import { isObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import { asText } from "../../../util/json/parse-json.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { visibleLine } from "../../../util/text/visible.ts";

/** Describes how the command of an answered call failed: its exit code or signal, and its last line; undefined for any other answer. */
export function commandFailure(result: ToolResult): string | undefined {
  if (!result.ok || !isObject(result.data)) return undefined;
  const { exit_code: code, signal, stderr } = result.data;
  const exit = typeof code === "number" && code !== 0 ? `exit code ${code}` : undefined;
  const how = typeof signal === "string" ? `ended by ${visibleLine(signal)}` : exit;
  if (how === undefined) return undefined;
  const last = lastLine(asText(stderr)) ?? lastLine(contentText(result.content));
  return last === undefined ? how : `${how}: ${visibleLine(last)}`;
}

/** Returns the last line that the command printed: notes about it are in brackets. */
function lastLine(text: string): string | undefined {
  return text.split("\n").findLast((line) => line.trim() !== "" && !/^\[.*\]$/.test(line.trim()));
}
