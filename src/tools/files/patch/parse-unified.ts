import { defined } from "../../../util/json/defined.ts";
import { ToolError } from "../../../core/errors.ts";
import { takeGitHeader, toName, withoutPrefixes, type GitHeader, type Names } from "./git-header.ts";
import { takeHunkLine, unreadable, type PatchLines } from "./lines.ts";
import type { FilePatch, Hunk, HunkLine } from "./model.ts";

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** A header without line numbers: `@@`, `@@ ... @@` or `@@ def f():`. */
const UNNUMBERED = /^@@(?!@)(.*?)(?:@@(.*))?$/;
const PLACEHOLDER = /^[-+.,\u2026?_xXnN\d\s]*$/;
const NOTHING = "/dev/null";

/** Parses a unified diff, plain or of git. Text between the files is ignored. */
export function parseUnified(lines: PatchLines): readonly FilePatch[] {
  const patches: FilePatch[] = [];
  while (lines.peek() !== undefined) {
    if (lines.peek()?.startsWith("diff --git ") === true)
      patches.push(parseFile(lines, takeGitHeader(lines)));
    else if (isFileHeader(lines)) patches.push(parseFile(lines, {}));
    else if (HUNK.test(lines.peek() ?? "")) throw unreadable(lines, "--- and +++ lines before a hunk");
    else lines.take();
  }
  return patches;
}

function isFileHeader(lines: PatchLines): boolean {
  return lines.peek()?.startsWith("--- ") === true && lines.peek(1)?.startsWith("+++ ") === true;
}

function parseFile(lines: PatchLines, git: GitHeader): FilePatch {
  const named = isFileHeader(lines) ? takeNames(lines) : undefined;
  const { from, to } = namesOf(git, named);
  const hunks: Hunk[] = [];
  while (lines.peek()?.startsWith("@@") === true) hunks.push(parseHunk(lines, hunks.length + 1));
  if (named !== undefined && hunks.length === 0)
    throw unreadable(lines, "a hunk: @@ -LINE,COUNT +LINE,COUNT @@");
  const common = { hunks, mayReplace: false, saysContent: true, ...defined({ mode: git.mode }) };
  if (from === undefined && to === undefined) throw unreadable(lines, "a file's name");
  if (from === undefined) return { ...common, action: "add", path: to ?? "" };
  if (to === undefined) return { ...common, action: "delete", path: from };
  if (hunks.length === 0 && from === to && git.mode === undefined)
    throw unreadable(lines, `a hunk for ${from}`);
  return { ...common, action: "update", path: from, ...(from !== to && { moveTo: to }) };
}

function takeNames(lines: PatchLines): Names {
  const from = toName(lines.take().slice(4));
  const to = toName(lines.take().slice(4));
  return { from: from === NOTHING ? undefined : from, to: to === NOTHING ? undefined : to };
}

/** Adds the data of git's header, which also names files without hunks. */
function namesOf(git: GitHeader, named: Names | undefined): Names {
  if (git.renameFrom !== undefined && git.renameTo !== undefined)
    return { from: git.renameFrom, to: git.renameTo };
  if (named !== undefined) return withoutPrefixes(named);
  const { name, isNew, isDeleted } = git;
  return { from: isNew === true ? undefined : name, to: isDeleted === true ? undefined : name };
}

function parseHunk(lines: PatchLines, number: number): Hunk {
  const header = lines.peek() ?? "";
  const hunkMatch = HUNK.exec(header);
  if (hunkMatch === null) return parseUnnumbered(lines, number);
  lines.take();
  const label = `hunk ${number} (${hunkMatch[0]})`;
  const start = lines.at;
  const byCount = takeCounted(lines, Number(hunkMatch[2] ?? 1), Number(hunkMatch[4] ?? 1));
  if (byCount === undefined) lines.at = start;
  const hunkLines = byCount ?? takeByShape(lines);
  refuseIdle(hunkLines, label);
  return { label, lines: hunkLines, oldStart: Number(hunkMatch[1]), anchors: [], isAtEnd: false };
}

/** Its lines alone say where it belongs, or a line of the file in its header. */
function parseUnnumbered(lines: PatchLines, number: number): Hunk {
  const header = lines.peek() ?? "";
  const [, inner, after] = UNNUMBERED.exec(header) ?? [];
  if (inner === undefined) throw unreadable(lines, "@@ or @@ -LINE,COUNT +LINE,COUNT @@");
  lines.take();
  const label = `hunk ${number} (${header.trimEnd()})`;
  const hunkLines = takeByShape(lines);
  refuseIdle(hunkLines, label);
  const near = [after, inner].find((text) => text !== undefined && !PLACEHOLDER.test(text))?.trim();
  const place = { anchors: [], isAtEnd: false, needsOldLines: true } as const;
  return { label, lines: hunkLines, ...place, ...defined({ near }) };
}

function refuseIdle(lines: readonly HunkLine[], label: string): void {
  if (lines.some(({ kind }) => kind !== "context")) return;
  throw new ToolError("INVALID_INPUT", `${label} of the patch changes nothing: it has no line with - or +`);
}

/** Takes the lines that the header counts; undefined if the counts are wrong. */
function takeCounted(lines: PatchLines, oldCount: number, newCount: number): readonly HunkLine[] | undefined {
  const taken: HunkLine[] = [];
  let [old, fresh] = [oldCount, newCount];
  while (old > 0 || fresh > 0) {
    const line = takeHunkLine(lines);
    if (line === undefined) return undefined;
    if (line.kind !== "added") old -= 1;
    if (line.kind !== "removed") fresh -= 1;
    taken.push(line);
  }
  return old === 0 && fresh === 0 && isHunkEnd(lines) ? taken : undefined;
}

/** Ignores wrong counts: a hunk ends where another hunk, file or text starts. */
function takeByShape(lines: PatchLines): readonly HunkLine[] {
  const taken: HunkLine[] = [];
  while (!isFileHeader(lines) && !isSignature(lines)) {
    const line = takeHunkLine(lines);
    if (line === undefined) break;
    taken.push(line);
  }
  // Empty lines at the end are separators: a context line would have a blank.
  while (taken.at(-1)?.kind === "context" && taken.at(-1)?.text === "") taken.pop();
  return taken;
}

/** The end of a mailed patch: "-- " and git's version. */
function isSignature(lines: PatchLines): boolean {
  return lines.peek() === "-- " && /^\d+\.\d/.test(lines.peek(1) ?? "");
}

function isHunkEnd(lines: PatchLines): boolean {
  const line = lines.peek();
  // "-- " is the signature below a mailed patch.
  return line === undefined || line === "" || line === "-- " || isFileHeader(lines) || !/^[ +-]/.test(line);
}
