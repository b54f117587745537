import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { createDocumentParser } from "../../schema/parse-document.ts";
import { integer, list, object, string } from "../../schema/define/schema.ts";
import { parseJson } from "../../util/json/parse-json.ts";

/** What a copy of a store says about itself. It is written last: a folder without it is no whole copy. */
export interface Manifest {
  readonly format: 1;
  /** When it was begun, in milliseconds. */
  readonly createdAt: number;
  readonly files: readonly CopiedFile[];
}

export interface CopiedFile {
  /** Below the folder of the copy. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export const MANIFEST = "manifest.json";
const FORMAT = 1;

/** The last time that a `Date` can hold. */
const LAST_TIME = 8.64e15;

const parse = createDocumentParser(
  object({
    format: integer(undefined, { min: FORMAT, max: FORMAT }),
    createdAt: integer(undefined, { min: 0, max: LAST_TIME }),
    files: list(object({ path: string(), bytes: integer(), sha256: string() })),
  }),
  { name: MANIFEST },
);

/** Returns the manifest of a copy. Throws unless the folder is a whole copy of a form that this version knows. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readRegular(join(folder, MANIFEST)).catch((cause: unknown) => {
    throw new ToolError("INVALID_INPUT", `${folder} is no backup of a store: it has no ${MANIFEST}`, {
      hint: "name a folder that toolwright store backup has written whole",
      cause,
    });
  });
  return parse(parseJson(text)) as Manifest;
}

/** Returns a sentence for each file of a copy that is not as it was written. */
export async function damagedFiles(folder: string, { files }: Manifest): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { path, bytes, sha256 } of files) {
    const size = await sizeOf(join(folder, path)).catch(() => undefined);
    if (size === undefined) problems.push(`${path} is missing or no regular file`);
    // A file of another size is not read: it may be larger than the disk.
    else if (size !== bytes || (await describeFile(folder, path)).sha256 !== sha256)
      problems.push(`${path} was changed`);
  }
  return problems;
}

async function readRegular(path: string): Promise<string> {
  await sizeOf(path);
  return readFile(path, "utf8");
}

/** Throws for a link and for what may block a reader, such as a named pipe. */
async function sizeOf(path: string): Promise<number> {
  const stats = await lstat(path);
  if (!stats.isFile()) throw new Error(`${path} is no regular file`);
  return stats.size;
}

export async function describeFile(folder: string, path: string): Promise<CopiedFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of createReadStream(join(folder, path)) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    hash.update(piece);
  }
  return { path, bytes, sha256: hash.digest("hex") };
}
