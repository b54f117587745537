import { createHash } from "node:crypto";
import { mkdir, readFile, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { parseObject } from "../../util/json/parse-json.ts";
import { systemCode } from "../paths/file-fault.ts";
import { namesIn, writeWhole } from "./records.ts";

/** The state of a file in a checkpoint. */
export interface CheckpointFile {
  /** Canonical. */
  readonly path: string;
  /** The hash of the content; null if there was no file. */
  readonly hash: string | null;
  readonly size: number;
  readonly mode: number;
}

/** The saved state of files. */
export interface Checkpoint {
  readonly id: string;
  /** The workspace of the files. */
  readonly root: string;
  readonly description: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly files: readonly CheckpointFile[];
  readonly testsAdded?: readonly string[];
  readonly session?: string;
  readonly goalId?: string;
}

const CONTENTS = "contents";
/** Another process may be about to reference a content that is younger than this. */
const UNREFERENCED_MS = 60 * 60 * 1000;

export function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Stores a content once under its hash, readable by its owner only. */
export async function storeContent(folder: string, content: Uint8Array): Promise<string> {
  const hash = hashOf(content);
  const path = join(folder, CONTENTS, hash);
  await mkdir(join(folder, CONTENTS), { recursive: true, mode: 0o700 });
  if (await isStored(path, content.length)) return hash;
  await writeWhole(path, content);
  return hash;
}

/** Returns the content of a file of a checkpoint. Throws if it is missing or damaged. */
export async function readContent(folder: string, { hash, path }: CheckpointFile): Promise<Uint8Array> {
  const content = await readFile(join(folder, CONTENTS, hash ?? "")).catch((error: unknown) => {
    throw lostContent(path, error);
  });
  if (hashOf(content) !== hash) throw lostContent(path);
  return content;
}

export async function writeCheckpoint(folder: string, checkpoint: Checkpoint): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeWhole(join(folder, `${checkpoint.id}.json`), JSON.stringify(checkpoint));
}

/** Returns the checkpoints, newest first, without unreadable ones. */
export async function listCheckpoints(folder: string): Promise<readonly Checkpoint[]> {
  const names = await namesIn(folder);
  const read = names
    .filter((name) => name.endsWith(".json"))
    .map((name) => readCheckpoint(join(folder, name)));
  const checkpoints = (await Promise.all(read)).filter((one) => one !== undefined);
  return checkpoints.sort((left, right) => right.createdAt - left.createdAt);
}

export async function removeCheckpoint(folder: string, id: string): Promise<void> {
  await unlink(join(folder, `${id}.json`));
}

/** Removes the contents that no checkpoint references. */
export async function removeUnreferenced(folder: string, checkpoints: readonly Checkpoint[]): Promise<void> {
  const named = new Set(checkpoints.flatMap(({ files }) => files.map(({ hash }) => hash)));
  for (const name of await namesIn(join(folder, CONTENTS))) {
    const path = join(folder, CONTENTS, name);
    if (named.has(name) || (await stat(path)).mtimeMs > Date.now() - UNREFERENCED_MS) continue;
    await unlink(path);
  }
}

/** Renews the timestamp of a stored content, so that it is not removed before it is referenced. */
async function isStored(path: string, size: number): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return (await stat(path)).size === size;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  const checkpoint = parseObject(await readFile(path, "utf8").catch(() => ""));
  const isWhole = typeof checkpoint?.["id"] === "string" && Array.isArray(checkpoint["files"]);
  return isWhole ? (checkpoint as unknown as Checkpoint) : undefined;
}

function lostContent(path: string, cause?: unknown): ToolError {
  return new ToolError("TOOL_FAILED", `the saved content of ${path} is missing or damaged`, {
    cause,
    details: { path },
  });
}
