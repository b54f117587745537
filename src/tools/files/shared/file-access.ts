import type { Stats } from "node:fs";
import { constants } from "node:fs";
import type { Collection, Collections } from "../../../core/store/collection.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { PathFact } from "../../../core/fact.ts";
import type { FileAccess, FileVersion, SeenFile } from "../../../core/session/file-access.ts";
import { FileAccessKey } from "../../../core/session/file-access.ts";
import type { Json } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { isVersion, isVersionOf, versionOfContent } from "../../../system/files/file-version.ts";
import { swapped } from "../../../system/paths/file-fault.ts";
import { openTarget } from "../../../system/files/files.ts";
import { existed } from "../../../system/paths/paths.ts";
import { shownPath } from "../../shared/judged.ts";
import type { FilesOptions } from "./options.ts";
import { scopedCollection, sessionCollection } from "../../shared/session-collection.ts";

/** How many files of all sessions are remembered; past it the ones seen longest ago are forgotten. */
const KEPT = { name: "file-access", limit: 10_000 } as const;

/** What the agent of the call's session knows of files. */
function fileAccessOf(context: ToolContext, options: FilesOptions): FileAccess {
  const provided = context.find(FileAccessKey);
  if (provided !== undefined) return provided;
  return createFileAccess(sessionCollection(context, options, KEPT));
}

/** What a session's agent knows of files, for whoever runs no call. */
export function keptFileAccess(collections: Collections, session: string): FileAccess {
  return createFileAccess(scopedCollection(collections.open(KEPT.name, KEPT), session));
}

/** Remembers that the agent was shown this version of a file; take it with `versionOf` before reading. */
export async function noteRead(
  context: ToolContext,
  options: FilesOptions,
  path: string,
  version: FileVersion,
): Promise<void> {
  await fileAccessOf(context, options).note(path, version);
}

/** Remembers that the agent wrote this content, and so knows it. Never fails: the file is written, whatever becomes of the note. */
export async function noteWritten(
  context: ToolContext,
  options: FilesOptions,
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  try {
    await fileAccessOf(context, options).note(path, versionOfContent(content));
  } catch {
    // What is not noted costs another read; a write that is told to have failed would be made twice.
  }
}

/** A file that was read just now. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly stats: Stats;
}

/**
 * Throws where the file is not the version that the agent last saw, or, where it saw none, not the one that was judged.
 * Looks at what was read of it, or opens it for writing. Gives what the file was then; undefined where there was none.
 */
export async function assertFresh(
  context: ToolContext,
  options: FilesOptions,
  fact: PathFact,
  read?: ReadFile,
): Promise<Stats | undefined> {
  if (!existed(fact)) return undefined;
  const seen = await fileAccessOf(context, options).seen(fact.path);
  if (read !== undefined) {
    const isSeen = seen !== undefined && isVersionOf(read.stats, read.bytes, seen.version);
    refuseChanged(options, { fact, stats: read.stats, seen, isSeen });
    return read.stats;
  }
  const { handle, stats } = await openTarget(
    fact,
    seen === undefined ? constants.O_WRONLY : constants.O_RDWR,
  );
  try {
    const isSeen = seen !== undefined && (await isVersion(handle, seen.version));
    refuseChanged(options, { fact, stats, seen, isSeen });
    return stats;
  } finally {
    await handle.close();
  }
}

/** The fact of a file that a call would replace, marked for policy where the agent neither read nor wrote it in this session. */
export async function markUnread(
  context: ToolContext,
  options: FilesOptions,
  fact: PathFact,
): Promise<PathFact> {
  if (!existed(fact) || (await fileAccessOf(context, options).seen(fact.path)) !== undefined) return fact;
  return { ...fact, unread: true };
}

interface Looked {
  readonly fact: PathFact;
  readonly stats: Stats;
  readonly seen: SeenFile | undefined;
  /** It is the version that was seen. */
  readonly isSeen: boolean;
}

function refuseChanged(options: FilesOptions, { fact, stats, seen, isSeen }: Looked): void {
  if (seen === undefined && !isAsJudged(fact, stats)) throw swapped(fact.path);
  if (seen !== undefined && !isSeen) throw stale(options, fact.path, seen);
}

function isAsJudged({ modifiedMs, size }: PathFact, stats: Stats): boolean {
  return modifiedMs === undefined || (modifiedMs === stats.mtimeMs && size === stats.size);
}

function stale({ root }: FilesOptions, path: string, { seenAt }: SeenFile): ToolError {
  const [shown, when] = [shownPath(root, path), new Date(seenAt).toISOString()];
  return new ToolError(
    "TOOL_FAILED",
    `${shown} changed since you last saw it at ${when}; nothing was written`,
    {
      hint: "read it again, then repeat the change on what it contains now",
      details: { path, seenAt },
    },
  );
}

function createFileAccess(collection: Collection): FileAccess {
  return {
    seen: async (path) => fromJson(await collection.get(path)),
    note: (path, version) => collection.set(path, { version, seenAt: Date.now() }),
  };
}

function fromJson(kept: Json | undefined): SeenFile | undefined {
  if (!isObject(kept)) return undefined;
  const { version, seenAt } = kept;
  return isObject(version) && typeof seenAt === "number" && typeof version["size"] === "number"
    ? { version: version as FileVersion, seenAt }
    : undefined;
}
