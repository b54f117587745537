import { readImportGraph } from "../layers/import-graph.ts";
import { roomOf } from "../layers/rooms.ts";

/** The picture of docs/architecture.md. */
export const ROOMS_DRAWING = "docs/images/rooms.svg";

type RoomGraph = ReadonlyMap<string, ReadonlySet<string>>;

const BOX = { width: 118, height: 26, gapX: 12, gapY: 34 };
const WIDTH = 7 * (BOX.width + BOX.gapX) + BOX.gapX;

/** Draws the rooms from the imports there are: each room above those it imports, and a line where no longer way leads there. */
export function drawRooms(): string {
  const graph = roomGraph();
  const rows = rowsFrom(graph);
  const centers = new Map<string, { readonly x: number; readonly y: number }>();
  for (const [index, rooms] of rows.entries()) {
    const left = (WIDTH - rooms.length * (BOX.width + BOX.gapX) + BOX.gapX) / 2;
    for (const [column, room] of rooms.entries()) {
      const x = left + column * (BOX.width + BOX.gapX) + BOX.width / 2;
      centers.set(room, { x, y: BOX.gapX + index * (BOX.height + BOX.gapY) + BOX.height / 2 });
    }
  }
  const lines = directImports(graph).map(([from, to]) => line(centers.get(from), centers.get(to)));
  const boxes = [...centers].map(([room, { x, y }]) => box(room, x, y));
  const height = rows.length * (BOX.height + BOX.gapY) - BOX.gapY + 2 * BOX.gapX;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...lines,
    ...boxes,
    "</svg>\n",
  ].join("\n");
}

function roomGraph(): RoomGraph {
  const rooms = new Map<string, Set<string>>();
  for (const [file, targets] of readImportGraph()) {
    const from = roomOf(file);
    if (from === "door") continue;
    const imported = rooms.get(from) ?? new Set<string>();
    rooms.set(from, imported);
    for (const to of targets.map(roomOf)) if (to !== from) imported.add(to);
  }
  return rooms;
}

/** Returns the rooms by level, the highest first. */
function rowsFrom(graph: RoomGraph): readonly (readonly string[])[] {
  const levels = new Map<string, number>();
  const levelOf = (room: string): number => {
    const level =
      levels.get(room) ?? 1 + Math.max(-1, ...[...(graph.get(room) ?? [])].map((target) => levelOf(target)));
    levels.set(room, level);
    return level;
  };
  const rows = Object.groupBy([...graph.keys()].sort(), (room) => String(levelOf(room)));
  return Object.values(rows)
    .map((rooms = []) => rooms)
    .toReversed();
}

/** Returns the imports that no chain of other imports implies. */
function directImports(graph: RoomGraph): readonly (readonly [string, string])[] {
  const reaches = (from: string, to: string): boolean =>
    [...(graph.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return [...graph].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)))
      .map((to) => [from, to] as const),
  );
}

function line(from?: { readonly x: number; readonly y: number }, to?: typeof from): string {
  if (from === undefined || to === undefined) return "";
  const [top, bottom] = [from.y + BOX.height / 2, to.y - BOX.height / 2];
  const middle = (top + bottom) / 2;
  const way = `M${from.x} ${top} C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${bottom}`;
  return `<path d="${way}" fill="none" stroke="#8a94a6"/>`;
}

function box(room: string, x: number, y: number): string {
  const [left, top] = [x - BOX.width / 2, y - BOX.height / 2];
  const fill = room.startsWith("app/") || room === "web" ? "#e8f0fe" : "#f2f4f7";
  return [
    `<rect x="${left}" y="${top}" width="${BOX.width}" height="${BOX.height}" rx="4" fill="${fill}" stroke="#5b6575"/>`,
    `<text x="${x}" y="${y + 4}" text-anchor="middle" fill="#1d2430">${room}</text>`,
  ].join("\n");
}
