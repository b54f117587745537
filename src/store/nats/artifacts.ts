import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ObjectStore } from "@nats-io/obj";
import type { ArtifactInfo, Artifacts } from "../../core/store/artifacts.ts";
import { openArtifact } from "../artifacts/artifact-file.ts";
import { isArtifactId, storedName } from "../artifacts/artifact-names.ts";
import { createDiskArtifacts } from "../artifacts/artifacts.ts";
import { readSlice } from "../artifacts/read-slice.ts";
import { searchLines } from "../artifacts/search-lines.ts";
import { storedBytes, type ReadableText, type ReadBytes, type StoredText } from "../artifacts/stored-text.ts";
import { openObjects, persist, type Nats } from "./nats.ts";

export interface NatsArtifactsOptions {
  /** The folder on this machine for what is being written. */
  readonly folder: string;
  /** Size limit of one artifact, beyond which the middle is dropped; default: 256 MB. */
  readonly maxBytes?: number;
  /** Size limit of all artifacts, beyond which the oldest are removed; default: 2 GB. */
  readonly maxTotalBytes?: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const GB = 1024 ** 3;

/** Opens the bucket of artifacts, which is created if it does not exist. */
export function openArtifactObjects(nats: Nats): ReturnType<typeof openObjects> {
  return openObjects(nats, `${nats.names.store}-artifacts`, 7 * DAY_MS);
}

/**
 * Opens the artifacts of a namespace, which processes on any machine may share. An artifact is written to a file of this machine, and moved to
 * the object store when its writer is closed; from then on it can be read anywhere, for 7 days.
 */
export async function openNatsArtifacts(nats: Nats, options: NatsArtifactsOptions): Promise<Artifacts> {
  const { folder, maxTotalBytes = 2 * GB } = options;
  const local = await createDiskArtifacts(options);
  const objects = await openArtifactObjects(nats);
  const expire = createExpiry(objects, maxTotalBytes);
  const use = createReader(objects);
  return {
    storage: local.storage,
    create() {
      const writer = local.create();
      let closing: Promise<ArtifactInfo> | undefined;
      const close = async (): Promise<ArtifactInfo> => {
        const info = await writer.close();
        const bytes = await upload(objects, folder, info);
        await expire(bytes);
        return info;
      };
      return { id: writer.id, write: (text) => writer.write(text), close: () => (closing ??= close()) };
    },
    info: (id) => use(id, ({ info }) => info),
    read: (id, start, length) => use(id, (file) => readSlice(file, start, length)),
    search: (id, pattern, limit) => use(id, (file) => searchLines(file, pattern, limit)),
    close: () => local.close(),
  };
}

/** Artifacts are stored in parts, so that a slice can be read without the rest. */
const PART_BYTES = 1024 * 1024;

const partName = (id: string, part: number): string => `${id}.${part}`;

/** Moves a finished file to the object store; its description comes last, so that no artifact is seen that is not whole. */
async function upload(objects: ObjectStore, folder: string, info: ArtifactInfo): Promise<number> {
  try {
    return await store(objects, folder, info);
  } finally {
    await rm(join(folder, storedName(info.id)), { force: true });
  }
}

async function store(objects: ObjectStore, folder: string, info: ArtifactInfo): Promise<number> {
  const { id } = info;
  await using file = await openArtifact(folder, id);
  if (file === undefined) throw new Error(`the artifact ${id} was removed while it was stored`);
  const { text } = file;
  const bytes = storedBytes(text);
  for (let start = 0; start < bytes; start += PART_BYTES) {
    const part = await file.read(start, Math.min(PART_BYTES, bytes - start));
    await persist(() => objects.putBlob({ name: partName(id, start / PART_BYTES) }, part));
  }
  const metadata = { text: JSON.stringify(text), info: JSON.stringify(info) };
  await persist(() => objects.putBlob({ name: id, metadata }, null));
  return bytes;
}

interface StoredArtifact extends ReadableText {
  readonly info: ArtifactInfo;
}

/** How many parts are held in memory, for slices that follow each other. */
const CACHED_PARTS = 4;

function createReader(objects: ObjectStore) {
  const cache = new Map<string, Buffer>();
  const readPart = async (name: string): Promise<Buffer> => {
    const bytes = cache.get(name) ?? Buffer.from((await persist(() => objects.getBlob(name))) ?? []);
    cache.delete(name);
    cache.set(name, bytes);
    for (const oldest of cache.keys()) if (cache.size > CACHED_PARTS) cache.delete(oldest);
    return bytes;
  };
  return async <T>(
    id: string,
    work: (artifact: StoredArtifact) => T | Promise<T>,
  ): Promise<T | undefined> => {
    const stored = isArtifactId(id) ? await persist(() => objects.info(id)) : null;
    const { text, info } = stored?.deleted === false ? (stored.metadata ?? {}) : {};
    if (text === undefined || info === undefined) return undefined;
    const read: ReadBytes = async (position, length) => {
      const part = await readPart(partName(id, Math.floor(position / PART_BYTES)));
      const start = position % PART_BYTES;
      return part.subarray(start, start + length);
    };
    return work({ info: JSON.parse(info) as ArtifactInfo, text: JSON.parse(text) as StoredText, read });
  };
}

/** Creates the removal of the oldest artifacts, in steps, so that not every new artifact lists them all. */
function createExpiry(objects: ObjectStore, maxTotalBytes: number): (bytes: number) => Promise<void> {
  const stepBytes = maxTotalBytes / 8;
  let newBytes = 0;
  return async (bytes) => {
    newBytes += bytes;
    if (newBytes < stepBytes) return;
    newBytes = 0;
    const sizes = new Map<string, { size: number; at: number; names: string[] }>();
    for (const { name, size, mtime } of await persist(() => objects.list())) {
      const id = name.split(".")[0] ?? "";
      const one = sizes.get(id) ?? { size: 0, at: 0, names: [] };
      sizes.set(id, {
        size: one.size + size,
        at: Math.max(one.at, Date.parse(mtime)),
        names: [name, ...one.names],
      });
    }
    let total = 0;
    for (const { size, names } of [...sizes.values()].toSorted((left, right) => right.at - left.at)) {
      total += size;
      if (total <= maxTotalBytes - stepBytes || total === size) continue;
      for (const name of names) await objects.delete(name).catch(() => undefined);
    }
  };
}
