import { asText } from "../../util/json/parse-json.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Failure, Success, ToolResult } from "../../core/result.ts";
import { attempt } from "../../util/async/attempt.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { maskJson } from "../../secrets/mask-json.ts";
import { createMasker } from "../../secrets/mask.ts";
import { textOf } from "../../util/text/text-of.ts";
import { shrinkJson } from "./truncate.ts";

/** The longest arguments, in bytes, that are repeated. */
const MAX_ARGS = 4096;

/**
 * Returns the answer in the protocol of external tools: `{ tool_success, result }`, or the error with the tool, its arguments if the input
 * of the call is given, and the process output. Tokens in the arguments are masked, long arguments are cut.
 */
export function toEnvelope(result: ToolResult, input?: unknown): JsonObject {
  return result.ok ? { tool_success: true, result: success(result) } : failure(result, input);
}

/** Adds text that the data does not contain: a reader of the envelope reads nothing else. */
function success({ data, content }: Success): Json {
  const text = textOf(content);
  if (data === undefined) return text;
  const isWhole = text === "" || text === JSON.stringify(data) || (isObject(data) && "stdout" in data);
  if (isWhole) return data;
  return isObject(data) ? { ...data, text } : { data, text };
}

function failure({ name, error }: Failure, input: unknown): JsonObject {
  const { toolCode, exit_code: exitCode, emitted, stdout = emitted, stderr } = error.details ?? {};
  return {
    tool_success: false,
    error: error.message,
    tool: name,
    ...(input !== undefined && { args: shownArgs(input) }),
    error_code: typeof toolCode === "string" ? toolCode : error.code,
    exit_code: typeof exitCode === "number" ? exitCode : null,
    stdout: asText(stdout),
    stderr: asText(stderr),
  };
}

function shownArgs(input: unknown): Json {
  const args = attempt(() => copyJson(input, undefined));
  return args === undefined ? null : shrinkJson(maskJson(args, createMasker()).data, MAX_ARGS);
}
