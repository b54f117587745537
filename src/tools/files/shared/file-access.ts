import { constants, type Stats } from "node:fs";
import type { Collection, Collections } from "../../../core/store/collection.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { PathFact } from "../../../core/fact.ts";
import { FileAccessKey, type FileAccess, type SeenFile } from "../../../core/session/file-access.ts";
import { createDocumentReader, NUMBER, withFields } from "../../../schema/document-reader.ts";
import { isVersion, isVersionOf, versionOf, versionOfContent } from "../../../system/files/file-version.ts";
import { swapped } from "../../../system/paths/file-fault.ts";
import { openTarget } from "../../../system/files/files.ts";
import { existed, resolveTarget } from "../../../system/paths/paths.ts";
import { nameAsData } from "../../../util/text/file-name.ts";
import { displayPath } from "../../shared/facts.ts";
import type { FilesOptions } from "./options.ts";
import { scopedCollection, sessionCollection } from "../../shared/collections.ts";

/** The collection of known file versions; at the limit the oldest are dropped. */
const KNOWN_FILES = { name: "file-access", limit: 10_000 } as const;

/** Returns the file versions that the agent of the call's session knows. Take the version for `note` with `versionOf`, before reading the file. */
export function fileAccessOf(context: ToolContext, options: FilesOptions): FileAccess {
  return context.find(FileAccessKey) ?? sessionFileAccess(context, options);
}

/** Returns the session's own. */
export function sessionFileAccess(context: ToolContext, options: FilesOptions): FileAccess {
  return createFileAccess(sessionCollection(context, options, KNOWN_FILES));
}

/** Returns the file versions that a session's agent knows, outside a call. */
export function storedFileAccess(collections: Collections, session: string): FileAccess {
  return createFileAccess(scopedCollection(collections.open(KNOWN_FILES.name, KNOWN_FILES), session));
}

/** Records that the agent knows a file as it is now, after a tool in another process has read or written it. Never fails. */
export async function noteSeen(context: ToolContext, options: FilesOptions, path: string): Promise<void> {
  try {
    const fact = await resolveTarget(path, { cwd: options.root, access: "read" });
    await using opened = await openTarget(fact, constants.O_RDONLY);
    await fileAccessOf(context, options).note(path, await versionOf(opened));
  } catch {
    // A missing record only costs another read.
  }
}

/** Records that the agent has written this content. Never fails: the file is already written. */
export async function noteWritten(
  context: ToolContext,
  options: FilesOptions,
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  try {
    await fileAccessOf(context, options).note(path, versionOfContent(content));
  } catch {
    // A missing record only costs another read; an error would make the agent repeat the write.
  }
}

/**
 * Throws if the file is not the version that the agent last read or wrote or, without one, not the version that was judged. Checks the
 * bytes that were read, or opens the file for writing. Returns its stats; undefined if there is no file.
 */
export async function assertFresh(
  context: ToolContext,
  options: FilesOptions,
  fact: PathFact,
  read?: { readonly bytes: Uint8Array; readonly stats: Stats },
): Promise<Stats | undefined> {
  if (!existed(fact)) return undefined;
  const seen = await fileAccessOf(context, options).seen(fact.path);
  if (read !== undefined) {
    const isSeen = seen !== undefined && isVersionOf(read.stats, read.bytes, seen.version);
    refuseChanged(options, { fact, stats: read.stats, seen, isSeen });
    return read.stats;
  }
  await using opened = await openTarget(fact, seen === undefined ? constants.O_WRONLY : constants.O_RDWR);
  const { handle, stats } = opened;
  const isSeen = seen !== undefined && (await isVersion(handle, seen.version));
  refuseChanged(options, { fact, stats, seen, isSeen });
  return stats;
}

/** Marks the fact of a file for policy if the agent has neither read nor written it in this session. */
export async function markUnread(
  context: ToolContext,
  options: FilesOptions,
  fact: PathFact,
): Promise<PathFact> {
  if (!existed(fact) || (await fileAccessOf(context, options).seen(fact.path)) !== undefined) return fact;
  return { ...fact, unread: true };
}

interface CheckedFile {
  readonly fact: PathFact;
  readonly stats: Stats;
  readonly seen: SeenFile | undefined;
  /** It is the version that the agent knows. */
  readonly isSeen: boolean;
}

function refuseChanged(options: FilesOptions, { fact, stats, seen, isSeen }: CheckedFile): void {
  if (seen === undefined && !isJudgedVersion(fact, stats)) throw swapped(fact.path);
  if (seen !== undefined && !isSeen) throw stale(options, fact.path, seen);
}

function isJudgedVersion({ modifiedMs, size }: PathFact, stats: Stats): boolean {
  return modifiedMs === undefined || (modifiedMs === stats.mtimeMs && size === stats.size);
}

function stale({ root }: FilesOptions, path: string, { seenAt }: SeenFile): ToolError {
  const [shownPath, when] = [displayPath(root, path), new Date(seenAt).toISOString()];
  const what = `${shownPath} has changed since you last read it at ${when}; nothing was written`;
  const hint = "read it again, then repeat the change";
  return new ToolError("TOOL_FAILED", what, { hint, details: { path, seenAt } });
}

function createFileAccess(collection: Collection): FileAccess {
  return {
    seen: async (path) => fromJson(await collection.get(nameAsData(path))),
    note: (path, version) => collection.set(nameAsData(path), { version, seenAt: Date.now() }),
  };
}

const fromJson = createDocumentReader<SeenFile>(
  withFields({ version: withFields({ size: NUMBER }), seenAt: NUMBER }),
);
