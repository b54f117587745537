import { errorMessage } from "../text/error-message.ts";

/** Returns why `JSON.parse` refused a text, on one line: what it expected, and mostly where. */
export function jsonFault(error: unknown): string {
  return errorMessage(error).replaceAll(/\s+/g, " ");
}
