import { globSync, readFileSync, writeFileSync } from "node:fs";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";

interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/**
 * Makes the source maps of a folder smaller: removes the positions inside packages, whose source is `PACKAGE_SOURCE`, and all but the
 * first position of each line of a source, and the names. A stack trace has the right file and line.
 */
export function trimSourceMaps(folder: string): void {
  for (const file of globSync(`${folder}/**/*.js.map`)) {
    const map = JSON.parse(readFileSync(file, "utf8")) as SourceMap;
    const mappings = decode(map.mappings).map((line) => trimLine(line, map.sources));
    writeFileSync(file, JSON.stringify({ ...map, names: [], mappings: encode(mappings) }));
  }
}

/** The source that the bundler gives to all code of packages. */
export const PACKAGE_SOURCE = "package";

/** Keeps one segment without a source where package code begins, so that it is not attributed to the file before it. */
function trimLine(line: readonly SourceMapSegment[], sources: readonly string[]): SourceMapSegment[] {
  const kept: SourceMapSegment[] = [];
  for (const segment of line) {
    const isPackage = segment.length > 1 && sources[segment[1] ?? 0]?.endsWith(PACKAGE_SOURCE) === true;
    const last = kept.at(-1);
    if (isPackage ? last?.length !== 1 : !isSameLine(segment, last))
      kept.push(
        isPackage || segment.length === 1 ? [segment[0]] : [segment[0], segment[1], segment[2], segment[3]],
      );
  }
  return kept;
}

function isSameLine(segment: SourceMapSegment, last: SourceMapSegment | undefined): boolean {
  return segment.length > 1 && last?.[1] === segment[1] && last?.[2] === segment[2];
}
