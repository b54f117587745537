import { ToolError } from "../../../core/errors.ts";

/** The error that says which command mends it. */
export function needsLogin(name: string, what: string, cause?: unknown): ToolError {
  return new ToolError("UNAUTHORIZED", `the MCP server "${name}": ${what}`, {
    hint: loginHint(name),
    ...(cause !== undefined && { cause }),
  });
}

/** What a person does about a refusal. */
export function loginHint(name: string): string {
  return `run toolwright mcp login ${name}, or set a header for it in your config`;
}
