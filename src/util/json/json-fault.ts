/** Returns why `JSON.parse` refused a text, on one line: what it expected, and mostly where. */
export function jsonFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s+/g, " ");
}
