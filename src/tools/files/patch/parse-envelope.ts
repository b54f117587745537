import { takeHunkLine, unreadable, type PatchLines } from "./lines.ts";
import type { FilePatch, Hunk, HunkLine } from "./model.ts";
import { defined } from "../../../util/json/defined.ts";

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const ADD = "*** Add File: ";
const DELETE = "*** Delete File: ";
const UPDATE = "*** Update File: ";
const MOVE = "*** Move to: ";
const END_OF_FILE = "*** End of File";
const LINE_NUMBERS = /^-(\d+)(?:,\d+)? \+\d+(?:,\d+)?(?: @@.*)?$/;

/** True for a patch of the form `*** Begin Patch`. */
export function isEnvelope(patch: string): boolean {
  return patch.trimStart().startsWith(BEGIN);
}

/** Parses a patch of the form `*** Begin Patch`. Blanks around its marks are ignored. */
export function parseEnvelope(lines: PatchLines): readonly FilePatch[] {
  skipBlank(lines);
  if (lines.take().trim() !== BEGIN) throw unreadable(lines, BEGIN);
  const patches: FilePatch[] = [];
  for (skipBlank(lines); lines.peek()?.trim() !== END; skipBlank(lines)) patches.push(parseFile(lines));
  lines.take();
  skipBlank(lines);
  if (lines.peek() !== undefined) throw unreadable(lines, `nothing after ${END}`);
  return patches;
}

function skipBlank(lines: PatchLines): void {
  while (lines.peek()?.trim() === "") lines.take();
}

function parseFile(lines: PatchLines): FilePatch {
  const header = lines.peek()?.trim() ?? "";
  const common = { mayReplace: true, saysContent: false };
  if (header.startsWith(ADD)) {
    const path = takeName(lines, ADD);
    return { ...common, action: "add", path, hunks: [parseAdded(lines)] };
  }
  if (header.startsWith(DELETE))
    return { ...common, action: "delete", path: takeName(lines, DELETE), hunks: [] };
  if (!header.startsWith(UPDATE))
    throw unreadable(lines, `"${ADD}PATH", "${UPDATE}PATH", "${DELETE}PATH" or "${END}"`);
  const path = takeName(lines, UPDATE);
  const moveTo = lines.peek()?.trim().startsWith(MOVE) === true ? takeName(lines, MOVE) : undefined;
  const hunks = parseHunks(lines);
  if (hunks.length === 0 && moveTo === undefined)
    throw unreadable(lines, `a hunk for ${path}, beginning with @@`);
  return { ...common, action: "update", path, hunks, ...defined({ moveTo }) };
}

function takeName(lines: PatchLines, mark: string): string {
  const name = lines.peek()?.trim().slice(mark.length).trim() ?? "";
  if (name === "") throw unreadable(lines, `a path after "${mark.trim()}"`);
  lines.take();
  return name;
}

function parseAdded(lines: PatchLines): Hunk {
  const added: HunkLine[] = [];
  while (lines.peek()?.startsWith("+") === true) {
    const line = takeHunkLine(lines);
    if (line !== undefined) added.push(line);
  }
  return { label: "the new file", lines: added, anchors: [], isAtEnd: false };
}

function parseHunks(lines: PatchLines): readonly Hunk[] {
  const hunks: Hunk[] = [];
  while (!isMark(lines)) {
    const hunk = parseHunk(lines, hunks.length + 1);
    if (hunk !== undefined) hunks.push(hunk);
  }
  return hunks;
}

/** Returns a mark at the start of a line; a line with a blank before it is context, except for the end mark. */
function isMark(lines: PatchLines): boolean {
  const line = lines.peek();
  if (line === undefined || line.startsWith("*** ")) return true;
  return line.trim() === END && lines.peek(1) === undefined;
}

function parseHunk(lines: PatchLines, number: number): Hunk | undefined {
  const head = takeHead(lines);
  const hunkLines: HunkLine[] = [];
  while (!isMark(lines)) {
    const line = takeHunkLine(lines);
    if (line === undefined) break;
    hunkLines.push(line);
  }
  const isAtEnd = lines.peek()?.trim() === END_OF_FILE;
  if (isAtEnd) lines.take();
  const isEmpty = hunkLines.every(({ kind, text }) => kind === "context" && text === "");
  // Empty lines alone separate two files.
  if (isEmpty && hunkLines.length > 0 && head.mark === "" && !isAtEnd) return undefined;
  if (isEmpty) throw unreadable(lines, "lines that begin with a blank, - or +");
  const next = lines.peek();
  if (next !== undefined && !next.startsWith("@@") && !isMark(lines))
    throw unreadable(lines, "a line that begins with a blank, - or +, or @@, or ***");
  const { mark, ...where } = head;
  const label = mark === "" ? `hunk ${number}` : `hunk ${number} (${mark})`;
  return { label, lines: hunkLines, isAtEnd, ...where };
}

type Head = Pick<Hunk, "anchors" | "oldStart"> & { readonly mark: string };

/** Parses the `@@` lines: each has an anchor line or, as in a unified diff, a line number. */
function takeHead(lines: PatchLines): Head {
  const marks: string[] = [];
  while (lines.peek()?.startsWith("@@") === true) marks.push(lines.take().trimEnd());
  const texts = marks.map((mark) => mark.slice(2).trim());
  const numbered = texts.map((text) => LINE_NUMBERS.exec(text)?.[1]).find((number) => number !== undefined);
  return {
    mark: marks.join(" "),
    anchors: texts.filter((text) => text !== "" && !LINE_NUMBERS.test(text)),
    ...(numbered !== undefined && { oldStart: Number(numbered) }),
  };
}
