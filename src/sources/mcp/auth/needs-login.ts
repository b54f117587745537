import { ToolError } from "../../../core/errors.ts";

/** Creates the error that names the login command. */
export function needsLogin(name: string, what: string, cause?: unknown): ToolError {
  return new ToolError("UNAUTHORIZED", `the MCP server "${name}": ${what}`, { hint: loginHint(name), cause });
}

/** Returns the hint for a refused request. */
export function loginHint(name: string): string {
  return `run toolwright mcp login ${name}, or set a header for it in your config`;
}
