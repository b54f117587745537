import { existsSync, readdirSync } from "node:fs";
import { readImportGraph } from "../layers/import-graph.ts";
import { ROOMS } from "../layers/rooms.ts";
import { codeOf, compareLines, rowsOf, sectionsOf, type Page } from "./page.ts";

const MAX_FILES = 40;

/** Checks the picture and the table of rooms against the rules for imports, and the path of a call against the imports there are. */
export function checkArchitecturePage(page: Page): readonly string[] {
  return [...checkPicture(page), ...checkTable(page), ...checkCallPath(page)];
}

/** The picture has each room in a line below all rooms that it may import. */
function checkPicture(page: Page): readonly string[] {
  const found = codeOf(page).find(({ words }) => words[0] === "rooms");
  if (found === undefined) return [`${page.file}: the picture of the rooms is missing: a code block "rooms"`];
  return compareLines(page.file, pictureOf(), found.lines);
}

function pictureOf(): readonly string[] {
  const levels = new Map<string, number>();
  const levelOf = (room: string): number => {
    const known = levels.get(room);
    if (known !== undefined) return known;
    const level = Math.max(-1, ...(ROOMS[room] ?? []).filter(exists).map(levelOf)) + 1;
    levels.set(room, level);
    return level;
  };
  const rows = Object.groupBy(Object.keys(ROOMS).filter(exists), (room) => String(levelOf(room)));
  return Object.values(rows).map((rooms = []) => rooms.join("   "));
}

function exists(room: string): boolean {
  return existsSync(`src/${room}`) && readdirSync(`src/${room}`).length > 0;
}

/** The table has a row for each room, with its name in the first cell. */
function checkTable({ file, lines }: Page): readonly string[] {
  const section = sectionsOf({ file, lines }, 2).find(({ title }) => title === "The rooms");
  const named = rowsOf(section?.lines ?? []).flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ""),
  );
  return compareLines(file, Object.keys(ROOMS).filter(exists), named);
}

/** Every file of the list exists and is imported by the file above it with less indentation. */
function checkCallPath({ file, lines }: Page): readonly string[] {
  const graph = readImportGraph();
  const section = sectionsOf({ file, lines }, 2).find(({ title }) => title === "The path of a call");
  const steps = (section?.lines ?? []).flatMap((line) => {
    const [, indent, path] = /^( *)- `(src\/[^`]+)`/.exec(line) ?? [];
    return indent === undefined || path === undefined ? [] : [{ depth: indent.length, path }];
  });
  const faults = steps.flatMap(({ depth, path }, index) => {
    if (!graph.has(path)) return [`${file}: ${path} does not exist`];
    const above = steps.slice(0, index).findLast((step) => step.depth < depth);
    if (above === undefined || graph.get(above.path)?.includes(path) === true) return [];
    return [`${file}: ${above.path} does not import ${path}`];
  });
  if (steps.length === 0) faults.push(`${file}: the path of a call has no files`);
  if (steps.length > MAX_FILES) faults.push(`${file}: the path of a call has more than ${MAX_FILES} files`);
  return faults;
}
