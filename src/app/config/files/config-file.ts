import { readFileSync, statSync } from "node:fs";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { findJsonFault } from "../../../util/json/json-fault.ts";

/** The settings in a file; undefined where there is no such file. Throws, naming file and place, on anything else. */
export function readConfigFile(file: string): JsonObject | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  const parsed = parse(file, text);
  if (isObject(parsed)) return parsed;
  throw new ToolError("INVALID_INPUT", `${file}: the settings must be one JSON object`);
}

const MAX_BYTES = 1024 * 1024;

function readText(file: string): string | undefined {
  try {
    const stats = statSync(file);
    // A pipe in a stranger's folder would be waited for without end.
    if (!stats.isFile()) throw new ToolError("INVALID_INPUT", `${file} is not a file`);
    if (stats.size > MAX_BYTES) throw new ToolError("INVALID_INPUT", `${file} is over 1 MB`);
    return readFileSync(file, "utf8").replace(/^\u{feff}/u, "");
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new ToolError("INVALID_INPUT", `${file} cannot be read (${String(code)})`, {
      hint: "make it a file that this user may read, or remove it",
      cause: error,
    });
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { line = 1, column = 1, expected = "JSON" } = findJsonFault(text) ?? {};
    throw new ToolError("INVALID_INPUT", `${file}:${line}:${column}: not valid JSON, expected ${expected}`, {
      hint: "JSON has no comments and no comma after the last item",
      cause: error,
    });
  }
}
