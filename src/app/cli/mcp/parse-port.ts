import { ToolError } from "../../../core/errors.ts";

/** The port that `--http` names. */
export function parsePort(text: string | boolean | undefined): number {
  const port = /^\d{1,5}$/.test(String(text)) ? Number(text) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw new ToolError("INVALID_INPUT", `--http cannot be ${JSON.stringify(text)}`, {
    hint: "a port from 1 to 65535, or 0 for one that is free",
  });
}
