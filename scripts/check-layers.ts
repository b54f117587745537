// Fails if a room imports one it may not, if files or folders import each other in a circle, or if the layout outgrows its limits.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { findCycles, longestChains, readImportGraph, toFolderGraph } from "./layers/import-graph.ts";
import { CONSOLE_IMPORTS, HEART, ROOMS, roomOf } from "./layers/rooms.ts";

const LIMITS = {
  filesPerFolder: 25,
  longestChain: 30,
  chainP95: 20,
  /** Files, imports and classes: what a review of the structure measured; a change that needs more splits or merges. */
  linesPerFile: { p95: 210, max: 291 },
  linesPerConsoleFile: { p95: 226, max: 245 },
  importsPerFileP95: 16,
  classes: 34,
  linesInReadme: 12,
  filesWithoutReadme: 8,
  /** A change that needs more raises it: docs/decisions/0020-the-size-of-the-source.md. */
  linesOfSource: 139_900,
  /** What one must read to know how a call is decided and run. */
  linesOfHeart: 18_400,
};

/** A class with or without a name. */
const CLASS = /(?:^|[=(:] *|export )(?:abstract )?class\b(?= *\w| *\{)/gm;

const graph = readImportGraph();
const cycles = findCycles(graph).map((cycle) => `files import each other: ${cycle}`);
// A circle has no longest chain.
if (cycles.length > 0) {
  for (const cycle of cycles) console.error(cycle);
  process.exit(1);
}
const chains = [...longestChains(graph).values()].sort((a, b) => a.length - b.length);
const longest = chains.at(-1) ?? [];
const chainP95 = quantile(
  chains.map(({ length }) => length),
  0.95,
);
const filesIn = new Map([...toFolderGraph(graph).keys()].map((folder) => [folder, 0]));
for (const file of graph.keys()) filesIn.set(dirname(file), (filesIn.get(dirname(file)) ?? 0) + 1);
const largest = Math.max(...filesIn.values());
const folderCycles = findCycles(toFolderGraph(graph));
const [webFiles = [], srcFiles = []] = [true, false].map((isWeb) =>
  [...graph.keys()].filter((file) => (roomOf(file) === "web") === isWeb),
);
const [web, src] = [webFiles.map(linesOf), srcFiles.map(linesOf)];
const imports = srcFiles.map((file) => new Set(graph.get(file)).size);
const classes = sum(srcFiles.map((file) => [...readFileSync(file, "utf8").matchAll(CLASS)].length));

const heart = sum([...graph.keys()].filter((file) => HEART.includes(roomOf(file))).map(linesOf));

const faults = [
  ...[...graph].flatMap(([file, imports]) => imports.flatMap((target) => faultOf(file, target))),
  ...folderCycles.map((cycle) => `folders import each other: ${cycle}`),
  ...[...filesIn].flatMap(([folder, count]) => folderFaults(folder, count)),
  ...Object.keys(ROOMS).flatMap(missingRoomPage),
  ...over("the longest import chain", longest.length, LIMITS.longestChain).map(
    (fault) => `${fault}: ${longest.join(" → ")}`,
  ),
  ...over("p95 of the import chains", chainP95, LIMITS.chainP95),
  ...overSizes("lines of a file", src, LIMITS.linesPerFile),
  ...overSizes("lines of a file of the console", web, LIMITS.linesPerConsoleFile),
  ...over("p95 of the files that a file imports", quantile(imports, 0.95), LIMITS.importsPerFileP95),
  ...over("classes", classes, LIMITS.classes),
  ...over("lines of source", sum(src), LIMITS.linesOfSource),
  ...over(`lines of ${HEART.join(", ")}`, heart, LIMITS.linesOfHeart),
];

for (const fault of faults) console.error(fault);
printFigures();
console.log(`${graph.size} files, ${[...graph.values()].flat().length} imports, ${faults.length} faults`);
if (graph.size === 0 || faults.length > 0) process.exit(1);

function faultOf(file: string, target: string): readonly string[] {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (!graph.has(target)) return [`${file}: ${target} does not exist`];
  if (from === "door" || from === to) return [];
  if (to === "door") return [`${file}: imports ${target}, which is for users of the package only`];
  if (from === "web" && !CONSOLE_IMPORTS.test(target))
    return [`${file}: the console may only import the API and functions of util/text, not ${target}`];
  const allowed = ROOMS[from];
  if (allowed === undefined) return [`${file}: ${from} is not a room`];
  return allowed.includes(to) ? [] : [`${file}: ${from} may not import ${to} (${target})`];
}

function folderFaults(folder: string, count: number): readonly string[] {
  const readme = `${folder}/README.md`;
  const lines = existsSync(readme) ? readFileSync(readme, "utf8").trimEnd().split("\n").length : undefined;
  const isMissing = count > LIMITS.filesWithoutReadme && lines === undefined;
  return [
    ...over(`${folder}: files`, count, LIMITS.filesPerFolder),
    ...(isMissing ? [`${folder}: ${count} files and no README.md`] : []),
    ...over(`${readme}: lines`, lines ?? 0, LIMITS.linesInReadme),
  ];
}

/** A newcomer finds at the door of each room what is there, where to start and what belongs elsewhere. */
function missingRoomPage(room: string): readonly string[] {
  const readme = `${room === "web" ? room : `src/${room}`}/README.md`;
  return existsSync(readme) ? [] : [`${readme}: it does not exist; every room has one`];
}

function over(what: string, value: number, limit: number): readonly string[] {
  return value > limit ? [`${what}: ${value}, and at most ${limit} are allowed`] : [];
}

function overSizes(
  what: string,
  values: readonly number[],
  { p95, max }: { readonly p95: number; readonly max: number },
): readonly string[] {
  return [
    ...over(`p95 of ${what}`, quantile(values, 0.95), p95),
    ...over(`the most ${what}`, Math.max(...values), max),
  ];
}

/** Returns the value that this part of the values is below. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function linesOf(file: string): number {
  return readFileSync(file, "utf8").split("\n").length - 1;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function printFigures(): void {
  const mean = (graph.size / filesIn.size).toFixed(1);
  console.log(`lines of source                ${sum(src)}`);
  console.log(`lines of the rooms to be read  ${heart}`);
  console.log(`lines of the console           ${sum(web)}`);
  console.log(`lines of a file, p50/p95/max   ${shape(src)}`);
  console.log(`  of the console               ${shape(web)}`);
  console.log(`imports of a file, p50/p95/max ${shape(imports)}`);
  console.log(`classes                        ${classes}`);
  console.log(`longest import chain / p95     ${longest.length} / ${chainP95}`);
  console.log(`files per folder, mean / max   ${mean} / ${largest}`);
  console.log(`folders that import each other ${folderCycles.length}`);
  console.log(`tests beside the sources       ${globSync(["src/**/*.test.ts", "web/**/*.test.ts"]).length}`);
}

function shape(values: readonly number[]): string {
  return [0.5, 0.95, 1].map((part) => quantile(values, part)).join(" / ");
}
