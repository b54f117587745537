import {
  findCharacter,
  motionOf,
  offsetOf,
  placeAt,
  shifted,
  type Find,
  type Motion,
  type Place,
} from "./motions.ts";

/** What vi remembers between keys. */
export interface Vi {
  readonly mode: "insert" | "normal";
  /** The keys of a command that is not complete: counts, an operator, `g`, `f`. */
  readonly pending: string;
  /** What was deleted or yanked last. */
  readonly register: { readonly text: string; readonly isLinewise: boolean };
  readonly find: Find | undefined;
}

/** The text and vi after a key. `isUndo`: the last change is to be undone. */
export interface ViStep {
  readonly place: Place;
  readonly vi: Vi;
  readonly isUndo?: true;
}

export const FIRST_VI: Vi = {
  mode: "insert",
  pending: "",
  register: { text: "", isLinewise: false },
  find: undefined,
};

/** `3d2fx`: count, operator, count, command, argument. */
const COMMAND = /^([1-9]\d*)?([dcy])?([1-9]\d*)?(?:(g|[fFtTr])(.)?|(.))?$/su;

/** A complete command. */
interface ViCommand {
  readonly operator: string | undefined;
  readonly count: number | undefined;
  /** A motion, or what it does. */
  readonly name: string;
  /** The character that it searches. */
  readonly find: Find | undefined;
  /** The character that replaces others. */
  readonly replacement: string | undefined;
}

/** Takes a key of the normal mode; keys that are no command change nothing. */
export function pressVi(place: Place, vi: Vi, key: string): ViStep {
  const typed = vi.pending + key;
  const command = parseCommand(typed);
  if (command === "incomplete") return { place, vi: { ...vi, pending: typed } };
  const idle = { ...vi, pending: "" };
  if (command === undefined) return { place, vi: idle };
  const { operator, count, name, replacement } = command;
  if (replacement !== undefined) return replaceCharacter(place, idle, replacement, count ?? 1);
  const remembered = command.find === undefined ? idle : { ...idle, find: command.find };
  const motion = motionIn(place, command, vi);
  if (operator !== undefined)
    return motion === undefined
      ? { place, vi: remembered }
      : operate(place, remembered, operator, withinLine(place, name, motion));
  if (motion !== undefined) return { place: atCharacter({ ...place, ...motion.to }), vi: remembered };
  return doCommand(place, remembered, name, count ?? 1);
}

/** A prompt is short, and a larger count would hold up the terminal. */
const MAX_COUNT = 999;

/** Returns undefined for keys that are no command. */
function parseCommand(typed: string): ViCommand | "incomplete" | undefined {
  const match = COMMAND.exec(typed);
  if (match === null) return undefined;
  const [, before, operator, after, opener, argument, plain] = match;
  if (plain === undefined && argument === undefined) return "incomplete";
  const isCounted = before !== undefined || after !== undefined;
  const count = isCounted ? Math.min(Number(before ?? 1) * Number(after ?? 1), MAX_COUNT) : undefined;
  const base = { operator, count, find: undefined, replacement: undefined };
  if (plain !== undefined || argument === undefined) return { ...base, name: plain ?? "" };
  if (opener === "r") return { ...base, name: "r", replacement: argument };
  if (opener === "g" || opener === undefined) return { ...base, name: `g${argument}` };
  return { ...base, name: opener, find: { key: opener, character: argument } };
}

function motionIn(place: Place, { operator, count, name, find }: ViCommand, vi: Vi): Motion | undefined {
  const search = find ?? foundBefore(vi, name);
  if (search !== undefined) return findCharacter(place, search, count);
  if (name === operator) return wholeLines(place, count ?? 1);
  return motionOf(place, changedWord(name, operator, place), count);
}

/** Leaves the insert mode: the cursor moves onto the character before it. */
export function toNormal(place: Place, vi: Vi): ViStep {
  const col = shifted(place.lines[place.line] ?? "", place.col, -1);
  return { place: { ...place, col }, vi: { ...vi, mode: "normal", pending: "" } };
}

function foundBefore({ find }: Vi, command: string): Find | undefined {
  if (find === undefined || (command !== ";" && command !== ",")) return undefined;
  if (command === ";") return find;
  const { key } = find;
  return { ...find, key: key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase() };
}

/** `cw` on a word leaves the blanks after it. */
function changedWord(command: string, operator: string | undefined, { lines, line, col }: Place): string {
  const isOnWord = /\S/.test(lines[line]?.[col] ?? "");
  const isWord = command === "w" || command === "W";
  return operator === "c" && isOnWord && isWord ? `c${command}` : command;
}

/** An operator with `w` does not go beyond the line of the last word. */
function withinLine({ lines, line }: Place, command: string, motion: Motion): Motion {
  if (command.toLowerCase() !== "w" || motion.to.line === line) return motion;
  const isBlank = (text: string | undefined): boolean => text !== "" && text?.trim() === "";
  let last = motion.to.line - 1;
  while (last > line && isBlank(lines[last])) last -= 1;
  return { to: { line: last, col: lines[last]?.length ?? 0 } };
}

function wholeLines({ lines, line, col }: Place, count: number): Motion {
  return { to: { line: Math.min(lines.length - 1, line + count - 1), col }, isLinewise: true };
}

function operate(place: Place, vi: Vi, operator: string, motion: Motion): ViStep {
  return motion.isLinewise === true
    ? operateOnLines(place, vi, operator, motion.to.line)
    : operateOnText(place, vi, operator, motion);
}

function operateOnLines(place: Place, vi: Vi, operator: string, to: number): ViStep {
  const { lines, line } = place;
  const [first, last] = [Math.min(line, to), Math.max(line, to)];
  const register = { text: lines.slice(first, last + 1).join("\n"), isLinewise: true };
  const next = { ...vi, register };
  if (operator === "y") return { place: { ...place, line: first }, vi: next };
  if (operator === "c")
    return {
      place: { lines: [...lines.slice(0, first), "", ...lines.slice(last + 1)], line: first, col: 0 },
      vi: { ...next, mode: "insert" },
    };
  const left = [...lines.slice(0, first), ...lines.slice(last + 1)];
  const remaining = left.length === 0 ? [""] : left;
  return { place: { lines: remaining, line: Math.min(first, remaining.length - 1), col: 0 }, vi: next };
}

function operateOnText(place: Place, vi: Vi, operator: string, { to, isInclusive }: Motion): ViStep {
  const { lines } = place;
  const target = isInclusive ? { ...to, col: shifted(lines[to.line] ?? "", to.col, 1) } : to;
  const [from, reached] = [offsetOf(place), offsetOf({ lines, ...target })];
  const [start, end] = [Math.min(from, reached), Math.max(from, reached)];
  const text = lines.join("\n");
  const next = { ...vi, register: { text: text.slice(start, end), isLinewise: false } };
  if (operator === "y") return { place: atCharacter(placeAt(lines, start)), vi: next };
  const changed = placeAt((text.slice(0, start) + text.slice(end)).split("\n"), start);
  return operator === "c"
    ? { place: changed, vi: { ...next, mode: "insert" } }
    : { place: atCharacter(changed), vi: next };
}

/** Commands that stand for an operator with a motion. */
const SHORT: Readonly<Record<string, readonly [operator: string, motion: string]>> = {
  x: ["d", "l"],
  X: ["d", "h"],
  D: ["d", "$"],
  C: ["c", "$"],
  s: ["c", "l"],
  S: ["c", "c"],
  Y: ["y", "y"],
};

function doCommand(place: Place, vi: Vi, name: string, count: number): ViStep {
  const short = Object.hasOwn(SHORT, name) ? SHORT[name] : undefined;
  if (short !== undefined) {
    const [operator, motionName] = short;
    const isOnLines = motionName === operator;
    const motion = isOnLines ? wholeLines(place, count) : motionOf(place, motionName, count);
    return motion === undefined ? { place, vi } : operate(place, vi, operator, motion);
  }
  if (name === "u") return { place, vi, isUndo: true };
  const opened = Object.hasOwn(INSERTS, name) ? INSERTS[name]?.(place) : undefined;
  if (opened !== undefined) return { place: opened, vi: { ...vi, mode: "insert" } };
  if (name === "p" || name === "P") return { place: put(place, vi, name === "p", count), vi };
  if (name === "J") return { place: joined(place), vi };
  return { place: name === "~" ? turned(place, count) : place, vi };
}

/** Where the commands that enter the insert mode do so. */
const INSERTS: Readonly<Record<string, (place: Place) => Place>> = {
  i: (place) => place,
  a: (place) => ({ ...place, col: shifted(textAt(place), place.col, 1) }),
  I: (place) => ({ ...place, col: textAt(place).length - textAt(place).trimStart().length }),
  A: (place) => ({ ...place, col: textAt(place).length }),
  o: (place) => withLines(place, place.line + 1, [""]),
  O: (place) => withLines(place, place.line, [""]),
};

function textAt({ lines, line }: Place): string {
  return lines[line] ?? "";
}

function withLines({ lines }: Place, at: number, added: readonly string[]): Place {
  return { lines: [...lines.slice(0, at), ...added, ...lines.slice(at)], line: at, col: 0 };
}

function put(place: Place, { register: { text, isLinewise } }: Vi, isAfter: boolean, count: number): Place {
  if (text === "") return place;
  const { lines, line, col } = place;
  if (isLinewise) {
    const added = Array.from({ length: count }, () => text.split("\n")).flat();
    return withLines(place, isAfter ? line + 1 : line, added);
  }
  const own = lines[line] ?? "";
  const start = offsetOf({ lines, line, col: isAfter ? shifted(own, col, 1) : col });
  const whole = lines.join("\n");
  const inserted = text.repeat(count);
  const next = (whole.slice(0, start) + inserted + whole.slice(start)).split("\n");
  return atCharacter(placeAt(next, start + inserted.length - 1));
}

function joined(place: Place): Place {
  const { lines, line } = place;
  const [own = "", next] = lines.slice(line);
  if (next === undefined) return place;
  const rest = next.trimStart();
  const text = own + (own === "" || rest === "" || own.endsWith(" ") ? "" : " ") + rest;
  return { lines: [...lines.slice(0, line), text, ...lines.slice(line + 2)], line, col: own.length };
}

/** Changes letters from small to capital and back. */
function turned(place: Place, count: number): Place {
  const { lines, line, col } = place;
  const text = lines[line] ?? "";
  const end = shifted(text, col, count);
  const changed = Array.from(text.slice(col, end), (one) =>
    one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
  ).join("");
  return atCharacter({
    lines: lines.with(line, text.slice(0, col) + changed + text.slice(end)),
    line,
    col: end,
  });
}

function replaceCharacter(place: Place, vi: Vi, character: string, count: number): ViStep {
  const { lines, line, col } = place;
  const text = lines[line] ?? "";
  const end = shifted(text, col, count);
  // As in vi, nothing is replaced if the line has fewer characters.
  if (shifted(text, col, count - 1) >= text.length) return { place, vi };
  const put = character.repeat(count);
  const changed = text.slice(0, col) + put + text.slice(end);
  return { place: atCharacter({ lines: lines.with(line, changed), line, col: col + put.length - 1 }), vi };
}

/** In the normal mode the cursor is on a character, not behind the last one. */
function atCharacter(place: Place): Place {
  const { lines, line } = place;
  const text = lines[line] ?? "";
  const last = shifted(text, text.length, -1);
  return {
    ...place,
    col: text === "" ? 0 : Math.min(shifted(text, Math.min(place.col, text.length), 0), last),
  };
}
