import { createHash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import type { InstructionPart } from "../../../core/agent/conversation.ts";
import { readDocument } from "../../../system/files/read-document.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { isWithin } from "../../../util/text/paths/is-within.ts";
import type { PathSettings } from "../groups.ts";
import type { TrustItem } from "../files/trust.ts";
import { counted } from "../../../util/text/words.ts";

/** A file in which people write instructions for agents. */
export interface ProjectInstructions {
  /** Relative to the workspace; of the user's own file, as it is shown: `~/.toolwright/AGENTS.md`. */
  readonly path: string;
  /** True for the user's own instructions for all projects, which need no trust. */
  readonly isOfUser?: true;
  readonly text: string;
  /** SHA-256 of its content. */
  readonly hash: string;
}

const NAMES = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];
const MAX_BYTES = 64 * 1024;
const MAX_FILES = 50;
const WRITABLE_BY_EVERYONE = 0o002;
/** Limits the time that looking through an untrusted folder can take. */
const MAX_FOLDERS = 500;
const MAX_DEPTH = 4;
/** Folders of packages and of what is built, whose files are not the project's own. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "vendor", "dist", "build", "out", "target"]);

/** Finds the instructions of a folder and of the folders in it, outermost first. Of files with the same text in one folder it takes one. */
export function findInstructions(folder: string): readonly ProjectInstructions[] {
  const instructions: ProjectInstructions[] = [];
  const folders = [{ below: "", depth: 0 }];
  for (let at = 0; at < folders.length && at < MAX_FOLDERS && instructions.length < MAX_FILES; at += 1) {
    const { below, depth } = folders[at] ?? { below: "", depth: 0 };
    const entries = attempt(() => readdirSync(join(folder, below), { withFileTypes: true })) ?? [];
    const names = new Set(entries.map(({ name }) => name));
    const here = NAMES.filter((name) => names.has(name)).flatMap((name) => read(folder, join(below, name)));
    instructions.push(...here.filter(({ text }, index) => isOwn(text, here.slice(0, index))));
    if (depth === MAX_DEPTH) continue;
    const inner = entries.filter(
      (one) => one.isDirectory() && !one.name.startsWith(".") && !SKIPPED.has(one.name),
    );
    const sorted = inner.map(({ name }) => name).toSorted();
    folders.push(...sorted.map((name) => ({ below: join(below, name), depth: depth + 1 })));
  }
  return instructions.slice(0, MAX_FILES);
}

/** Reads the user's own instructions for all projects. Throws a `ToolError` for a file that is too large, no text, or writable by everyone. */
export function readUserInstructions({
  home,
  userHome,
}: Pick<PathSettings, "home" | "userHome">): readonly ProjectInstructions[] {
  const file = join(home, "AGENTS.md");
  const bytes = readDocument(file, {
    maxBytes: MAX_BYTES,
    check: ({ mode }) =>
      (mode & WRITABLE_BY_EVERYONE) === 0
        ? undefined
        : { why: "can be written by every user", hint: `chmod o-w ${file}` },
  });
  if (bytes === undefined) return [];
  if (!isUtf8(bytes))
    throw new ToolError("INVALID_INPUT", `${file} is not UTF-8 text`, { hint: "save it as UTF-8" });
  const text = bytes.toString().trim();
  const path = isWithin(file, userHome) ? join("~", relative(userHome, file)) : file;
  return text === "" ? [] : [{ path, text, hash: instructionsHash(bytes), isOfUser: true }];
}

function read(folder: string, path: string): readonly ProjectInstructions[] {
  const bytes = attempt(() => readDocument(join(folder, path), { maxBytes: MAX_BYTES, folder }));
  if (bytes === undefined || !isUtf8(bytes)) return [];
  return [{ path, text: bytes.toString().trim(), hash: instructionsHash(bytes) }];
}

/** The hash under which instructions are trusted: that of the whole file. */
export function instructionsHash(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** False for an empty text, the text of an earlier file, or one that only points to it, as in `@AGENTS.md`. */
function isOwn(text: string, earlier: readonly ProjectInstructions[]): boolean {
  return (
    text !== "" && !earlier.some((one) => one.text === text || text === `@${one.path.split("/").at(-1)}`)
  );
}

/** Returns instructions as items that need trust. */
export function instructionItems(instructions: readonly ProjectInstructions[]): readonly TrustItem[] {
  return instructions.map(({ path, text, hash }) => {
    const lines = text.split("\n").length;
    const detail = `${counted(lines, "line")} for the agent`;
    return { kind: "instructions", name: path, hash, detail, text };
  });
}

/** Returns these instructions as parts of the system prompt, the user's own first, each group under its heading; none without any. */
export function instructionParts(instructions: readonly ProjectInstructions[]): readonly InstructionPart[] {
  const ofUser = instructions.filter(({ isOfUser }) => isOfUser);
  const ofProject = instructions.filter(({ isOfUser }) => !isOfUser);
  return [...partsUnder(USER_HEADING, ofUser), ...partsUnder(HEADING, ofProject)];
}

const USER_HEADING = "## Instructions of the person for all projects";
const HEADING = "## Instructions of this project, which the person trusts";

function partsUnder(
  heading: string,
  instructions: readonly ProjectInstructions[],
): readonly InstructionPart[] {
  return instructions.map(({ path, text, isOfUser }, index) => {
    const folder = dirname(path);
    const scope = isOfUser || folder === "." ? "" : ` (for files in ${folder})`;
    const own = `### ${path}${scope}\n${text}`;
    return { name: path, text: index === 0 ? `${heading}\n\n${own}` : own };
  });
}
