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

/** Lines that say what went wrong, the surest first. */
const TELLS = [
  /\b\w*(?:Error|Exception)\b[^:]*:|^\s*(?:✖|✗|×|not ok|FAIL|fatal:|panic:|error(?:\[\w+\])?:)|: (?:fatal )?error:? /,
  /\b(?:errors?|failed|failures?|denied|cannot|not found)\b/i,
];
/** A count of nothing at the end of a report. */
const NONE = /\b(?:0 (?:errors?|failed|failures?)|(?:errors?|failed|failures?)[:= ]+0)\b/i;

/** Where npm stored its log, after the reason. */
const LOG = /^npm error (?:A complete log of this run|\s+\S+-debug-\d+\.log)/;

/** Returns the last line that says what went wrong, else the last line. Notes about the command are in brackets; a line of brackets alone says nothing. */
function lastLine(text: string): string | undefined {
  const lines = text
    .split("\n")
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^\[.*\]$/.test(line.trim()));
  for (const pattern of TELLS) {
    const failureLine = lines.findLast((line) => pattern.test(line) && !NONE.test(line) && !LOG.test(line));
    if (failureLine !== undefined) return failureLine;
  }
  return lines.at(-1);
}
