import type { Reply } from "../../core/content.ts";
import type { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";

/** The folder and environment that a program was started in. */
export interface StartOptions {
  /** The canonical folder that relative paths are resolved against. */
  readonly root: string;
  readonly home?: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A built-in tool as a stand-alone program: one call on standard input, one answer on standard output. */
export interface Program {
  readonly name: string;
  readonly description: string;
  /** Descriptions of parameters that differ from those of the tool. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The fields of an answer, as JSON Schema properties. */
  readonly returns: JsonObject;
  /** An input for the help page. */
  readonly example: JsonObject;
  /** The time limit for the caller (default: that of any tool). */
  readonly timeoutSeconds?: number;
  createTool(options: StartOptions): Tool;
  toResult(reply: Reply): JsonObject;
  /** Returns a more specific code for a failure. */
  codeOf?(error: ToolError): string | undefined;
}
