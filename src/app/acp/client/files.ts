import { readFile, stat } from "node:fs/promises";
import { Reply } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Around, WrappedCall } from "../../../core/executor.ts";
import type { Fact, PathFact } from "../../../core/fact.ts";
import { FileAccessKey } from "../../../core/session/file-access.ts";
import { versionOfContent } from "../../../system/files/file-version.ts";
import { existed } from "../../../system/paths/paths.ts";
import { assertFresh } from "../../../tools/files/shared/file-access.ts";
import { shortDiff, unifiedDiff } from "../../../tools/files/shared/unified-diff.ts";
import { displayPath } from "../../../tools/shared/facts.ts";
import { changedText } from "../../host/approvals/preview-change.ts";
import type { Client } from "./client.ts";

/** Tools whose change the client makes, in the file as its editor has it. */
const EDITS: ReadonlySet<string> = new Set(["write_file", "edit_file", "file_multi_edit"]);
/** Larger files are not requested from the client. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Uses the client's file system where it matters: a file with unsaved changes is read as the editor has it, edits of one existing text
 * file are made by the editor, and other changes of a file with unsaved changes fail.
 */
export function useClientFiles(client: Client, root: string): Around {
  const { readTextFile = false, writeTextFile = false } = client.capabilities.fs ?? {};
  /** The unsaved text that the model has seen last, by path. */
  const shownTexts = new Map<string, string>();
  const files: ClientFiles = { client, root, shown: shownTexts };
  return async (call, next) => {
    const { facts } = call.context;
    const targets = facts.filter(isPresentFile);
    const [target] = targets;
    if (!readTextFile || target === undefined || facts.some(({ kind }) => kind !== "path")) return next();
    if (call.name === "read_file") return readOpenFile(files, target, call, next);
    const writeTargets = targets.filter(({ access }) => access === "write");
    const [only, ...others] = writeTargets;
    if (EDITS.has(call.name) && writeTextFile && only !== undefined && others.length === 0)
      return changeOpenFile(files, only, call, next);
    for (const { path } of writeTargets) {
      if ((await unsavedText(client, path)) !== undefined) throw unsaved(displayPath(root, path));
    }
    return next();
  };
}

interface ClientFiles {
  readonly client: Client;
  readonly root: string;
  readonly shown: Map<string, string>;
}

function isPresentFile(fact: Fact): fact is PathFact {
  return fact.kind === "path" && existed(fact) && (fact.size ?? 0) <= MAX_BYTES;
}

/** Runs the tool on the disk, which checks that the file may be shown, then shows the unsaved text instead if there is one. */
async function readOpenFile(
  { client, root, shown }: ClientFiles,
  { path }: PathFact,
  { input }: WrappedCall,
  next: () => Promise<unknown>,
): Promise<unknown> {
  const saved = await next();
  const text = await unsavedText(client, path);
  if (text === undefined) return saved;
  shown.set(path, text);
  const start = typeof input["start_line"] === "number" ? input["start_line"] : 1;
  const limit = typeof input["limit"] === "number" ? input["limit"] : Number.POSITIVE_INFINITY;
  const lines = text.replace(/\n$/, "").split("\n");
  const numbered = lines
    .slice(start - 1, start - 1 + limit)
    .map((line, index) => `${String(start + index).padStart(6)}\t${line}`);
  const name = displayPath(root, path);
  return new Reply([`[${name} has unsaved changes in the editor, shown here]`, ...numbered].join("\n"), {
    data: { path: name, start_line: start, lines: numbered.length, total_lines: lines.length, unsaved: true },
  });
}

async function changeOpenFile(
  { client, root, shown }: ClientFiles,
  target: PathFact,
  { name, input, context }: WrappedCall,
  next: () => Promise<unknown>,
): Promise<unknown> {
  const { path } = target;
  const open = await readText(client, path);
  if (open === undefined) return next();
  const [bytes, stats] = await Promise.all([readFile(path), stat(path)]);
  await assertFresh(context, { root }, target, { bytes, stats });
  const isUnseen = !isSame(open, bytes.toString()) && shown.get(path) !== open;
  if (name === "write_file" && isUnseen) throw unsaved(displayPath(root, path));
  const after = changedText(open, input);
  if (after === undefined) return next();
  const { sessionId } = client;
  await client.context.request(
    "fs/write_text_file",
    { sessionId, path, content: after },
    { cancellationSignal: context.signal },
  );
  shown.set(path, after);
  await noteSaved(context, path);
  const diff = unifiedDiff(displayPath(root, path), open, after);
  return new Reply(`Edited ${displayPath(root, path)} in the editor\n${shortDiff(diff)}`, {
    data: { path: displayPath(root, path), diff },
  });
}

/** Records the version on the disk as the one that the agent knows. Never fails: the file is already written. */
async function noteSaved(context: ToolContext, path: string): Promise<void> {
  try {
    await context.find(FileAccessKey)?.note(path, versionOfContent(await readFile(path)));
  } catch {
    // A missing record only costs another read.
  }
}

/** Returns the text of a file as the editor has it; undefined if the client cannot read it. */
async function readText({ context, sessionId }: Client, path: string): Promise<string | undefined> {
  const answer = await context.request("fs/read_text_file", { sessionId, path }).catch(() => undefined);
  return answer?.content;
}

/** Returns the text of the editor if it is not the one on the disk. */
async function unsavedText(client: Client, path: string): Promise<string | undefined> {
  const [open, saved] = await Promise.all([
    readText(client, path),
    readFile(path, "utf8").catch(() => undefined),
  ]);
  return open === undefined || saved === undefined || isSame(open, saved) ? undefined : open;
}

/** Editors may hold a text without its byte order mark and with line feeds only. */
function isSame(open: string, saved: string): boolean {
  return plainText(open) === plainText(saved);
}

function plainText(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

function unsaved(path: string): ToolError {
  const hint = "read it with read_file and change it with edit_file, or ask the person to save it";
  return new ToolError("TOOL_FAILED", `${path} has unsaved changes in the editor; nothing was changed`, {
    hint,
  });
}
