import type { Reply } from "../../core/content.ts";
import type { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";

/** Where a program was started. */
export interface Surroundings {
  /** The canonical folder where relative paths begin. */
  readonly root: string;
  readonly home?: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A built-in tool as a program of its own: one call on standard input, one answer on standard output. */
export interface Program {
  readonly name: string;
  readonly description: string;
  /** What its parameters mean here, where that differs from the tool's own words. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The fields of an answer, as JSON Schema properties. */
  readonly returns: JsonObject;
  /** An input for the help page. */
  readonly example: JsonObject;
  /** How long the caller should give it; left out: as long as it gives any tool. */
  readonly timeoutSeconds?: number;
  createTool(surroundings: Surroundings): Tool;
  toResult(reply: Reply): JsonObject;
  /** A more telling code for a failure of its own kind. */
  codeOf?(error: ToolError): string | undefined;
}
