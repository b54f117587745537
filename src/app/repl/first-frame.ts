import type { ReplOptions } from "./state/session.ts";
import { createPaint } from "./text/paint.ts";
import { bannerRow } from "./view/banner.ts";

const FALLBACK_COLUMNS = 80;

/** Draws the banner, the prompt and a status before any package is loaded. Returns a function that erases it. */
export function paintFirstFrame({ stdout, isColoured, version, folder }: ReplOptions): () => void {
  const paint = createPaint(isColoured);
  const banner = bannerRow({ version, folder }, stdout.columns || FALLBACK_COLUMNS, paint);
  // The cursor is left behind the mark of the prompt.
  stdout.write(`${banner}\r\n\r\n> \r\n${paint("dim", "loading")}\u{1b}[A\r\u{1b}[2C`);
  return () => void stdout.write("\u{1b}[2A\r\u{1b}[K\u{1b}[B\u{1b}[J\u{1b}[A");
}
