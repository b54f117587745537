import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";
import { attempt } from "../../util/async/attempt.ts";

const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

/**
 * Replaces the places in bundled files by those in the sources they come from. Reads a source map only now: to have Node read them at
 * every start would cost more than the start itself. Never throws.
 */
export function mapStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replaceAll(PLACE, (place, file: string, line: string, column: string) => {
    const map = maps.has(file) ? maps.get(file) : readMap(file);
    maps.set(file, map);
    const entry = map?.findEntry(Number(line) - 1, Number(column) - 1);
    // Code of packages has no source.
    if (entry === undefined || !("originalSource" in entry) || entry.originalSource === undefined)
      return place;
    const source = fileURLToPath(new URL(entry.originalSource, file));
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function readMap(file: string): SourceMap | undefined {
  return attempt(() => {
    const text = readFileSync(fileURLToPath(`${file}.map`), "utf8");
    return new SourceMap(JSON.parse(text) as SourceMapPayload);
  });
}
