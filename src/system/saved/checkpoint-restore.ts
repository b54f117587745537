import { constants, type Stats } from "node:fs";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { hashOf, type Checkpoint, type CheckpointFile } from "./checkpoint-files.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { replaceFiles } from "../files/replace.ts";
import { openTarget } from "../files/files.ts";
import { existed, resolveTarget } from "../paths/paths.ts";

/** The current content of a path. */
interface Present {
  readonly content: Uint8Array;
  readonly stats: Stats;
}

/** A file of a checkpoint compared with its current state. */
export interface PlannedFile {
  readonly file: CheckpointFile;
  readonly fact: PathFact;
  /**
   * `same`: unchanged. `gone`: removed since. `changed`: changed to a content that a checkpoint or the agent knows. `stale`:
   * changed to an unknown content. `created`: did not exist then, and stays.
   */
  readonly state: "same" | "gone" | "changed" | "stale" | "created";
  /** If changed or stale. */
  readonly now?: Present;
}

/** Returns true if the current content of a file is recorded elsewhere, so that overwriting it loses nothing. */
export type IsRecorded = (path: string, now: Present) => Promise<boolean>;

/** Compares the files of a checkpoint with their current state. Changes nothing. Throws if a file cannot be restored. */
export async function planRestore(
  checkpoints: Checkpoints,
  { files }: Checkpoint,
  isRecorded: IsRecorded,
): Promise<readonly PlannedFile[]> {
  const known = new Set((await checkpoints.list()).flatMap((one) => one.files.map(nameOf)));
  // Overwritten files are saved as a checkpoint, so they must fit into one.
  let room = checkpoints.maxBytes;
  const compare = async (
    file: CheckpointFile,
    fact: PathFact,
  ): Promise<Omit<PlannedFile, "file" | "fact">> => {
    if (!existed(fact)) return { state: file.hash === null ? "same" : "gone" };
    if (file.hash === null) return { state: "created" };
    const now = await readPresent(fact, room);
    const hash = hashOf(now.content);
    if (hash === file.hash) return { state: "same" };
    room -= now.content.length;
    const isKnown = known.has(nameOf({ ...file, hash })) || (await isRecorded(file.path, now));
    return { state: isKnown ? "changed" : "stale", now };
  };
  const plan: PlannedFile[] = [];
  for (const file of files) {
    const fact = await resolveTarget(file.path, { cwd: "/", access: "write" });
    if (fact.path !== file.path) throw elsewhere(file.path, fact.path);
    plan.push({ file, fact, ...(await compare(file, fact)) });
  }
  return plan;
}

/**
 * Restores the files that are gone or changed, all or none. Saves the overwritten files as a new checkpoint and returns it;
 * undefined if nothing was overwritten. The caller runs exclusively for the files.
 */
export async function restoreFiles(
  checkpoints: Checkpoints,
  { id, root }: Checkpoint,
  plan: readonly PlannedFile[],
): Promise<Checkpoint | undefined> {
  const changes = await Promise.all(
    plan.filter(isWritten).map(async ({ file, fact, now }) => ({
      fact,
      content: await checkpoints.read(file),
      mode: file.mode,
      ...(now !== undefined && { openedAs: now.stats }),
    })),
  );
  if (changes.length === 0) return undefined;
  const overwritten = changes.filter(({ openedAs }) => openedAs !== undefined).map(({ fact }) => fact);
  const before =
    overwritten.length === 0
      ? undefined
      : await checkpoints.create(overwritten, { root, description: `before ${id} was restored` });
  await replaceFiles(changes, { operations: checkpoints.operations, isExclusive: true });
  return before;
}

function isWritten({ state }: PlannedFile): boolean {
  return state === "gone" || state === "changed" || state === "stale";
}

/** Opens the file for writing too, so that missing permissions are detected before anything is written. */
async function readPresent(fact: PathFact, maxBytes: number): Promise<Present> {
  await using opened = await openTarget(fact, constants.O_RDWR);
  const { handle, stats } = opened;
  if (stats.size > maxBytes) throw tooLarge(fact.path, stats.size);
  return { content: await handle.readFile(), stats };
}

function nameOf({ path, hash }: Pick<CheckpointFile, "path" | "hash">): string {
  return `${hash} ${path}`;
}

function elsewhere(path: string, now: string): ToolError {
  return new ToolError("TOOL_FAILED", `${path} now leads to ${now}; nothing was restored`, {
    hint: "remove the link first",
    details: { path },
  });
}

function tooLarge(path: string, size: number): ToolError {
  const message = `${path} has ${size} bytes, too many to save before overwriting it; nothing was restored`;
  return new ToolError("TOOL_FAILED", message, { hint: "move it away first", details: { path, size } });
}
