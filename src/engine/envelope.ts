import type { Json, JsonObject } from "../core/json.ts";
import type { Failure, ToolResult } from "../core/result.ts";
import { textOf } from "./shapes/content-parts.ts";

/** The answer for programs that speak the external tools' protocol: `{ tool_success, result }`, or the error with what the process said. */
export function toEnvelope(result: ToolResult): JsonObject {
  if (!result.ok) return failure(result);
  return { tool_success: true, result: result.data === undefined ? textOf(result.content) : result.data };
}

function failure({ error }: Failure): JsonObject {
  const { toolCode, exit_code: snake, exitCode: camel, stdout, stderr } = error.details ?? {};
  return {
    tool_success: false,
    error: error.message,
    error_code: typeof toolCode === "string" ? toolCode : error.code,
    exit_code: [snake, camel].find((code) => typeof code === "number") ?? null,
    stdout: textIn(stdout),
    stderr: textIn(stderr),
  };
}

function textIn(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
