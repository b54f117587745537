import { invalidValue } from "../../terminal/input/check-arguments.ts";

/** Parses the port given to `--http`. */
export function parsePort(text: string | boolean | undefined): number {
  const port = /^\d{1,5}$/.test(String(text)) ? Number(text) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw invalidValue("http", text, "a port from 1 to 65535, or 0 for a free one");
}
