import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readImportGraph } from "../layers/import-graph.ts";
import { ROOMS } from "../layers/rooms.ts";
import { compareLines, rowsOf, sectionsOf, type Page } from "./page.ts";
import { drawRooms, ROOMS_DRAWING } from "./rooms-drawing.ts";

const MAX_FILES = 40;

/** Checks the drawing of the rooms and the path of a call against the imports there are, and the table of rooms against the rules for imports. */
export function checkArchitecturePage(page: Page): readonly string[] {
  return [...checkPicture(page), ...checkTable(page), ...checkCallPath(page)];
}

function checkPicture({ file, lines }: Page): readonly string[] {
  const isShown = lines.some((line) => line.includes(`(${ROOMS_DRAWING.replace("docs/", "")})`));
  const isCurrent = existsSync(ROOMS_DRAWING) && readFileSync(ROOMS_DRAWING, "utf8") === drawRooms();
  return [
    ...(isShown ? [] : [`${file}: it does not show ${ROOMS_DRAWING}`]),
    ...(isCurrent ? [] : [`${ROOMS_DRAWING}: it differs from the imports; run npm run docs`]),
  ];
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
