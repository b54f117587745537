import { asText } from "../../util/json/parse-json.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Failure, Success, ToolResult } from "../../core/result.ts";
import { textOf } from "../../util/text/text-of.ts";

/** Returns the answer in the protocol of external tools: `{ tool_success, result }`, or the error with the process output. */
export function toEnvelope(result: ToolResult): JsonObject {
  return result.ok ? { tool_success: true, result: success(result) } : failure(result);
}

/** Adds text that the data does not contain: a reader of the envelope reads nothing else. */
function success({ data, content }: Success): Json {
  const text = textOf(content);
  if (data === undefined) return text;
  const isWhole = text === "" || text === JSON.stringify(data) || (isObject(data) && "stdout" in data);
  if (isWhole) return data;
  return isObject(data) ? { ...data, text } : { data, text };
}

function failure({ error }: Failure): JsonObject {
  const { toolCode, exit_code: exitCode, emitted, stdout = emitted, stderr } = error.details ?? {};
  return {
    tool_success: false,
    error: error.message,
    error_code: typeof toolCode === "string" ? toolCode : error.code,
    exit_code: typeof exitCode === "number" ? exitCode : null,
    stdout: asText(stdout),
    stderr: asText(stderr),
  };
}
