import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import type { SourceProblem } from "../../core/source.ts";

/** A file that can be run. */
export interface Program {
  readonly path: string;
  readonly fileName: string;
  /** Tells this very file, as it is now, from every other and from what it may become. */
  readonly identity: string;
}

/** Why something cannot be used. */
export type Trouble = Pick<SourceProblem, "reason" | "message" | "hint">;

/** The identity of the file that a path leads to. Rejects where there is none. */
export async function identityOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

/** The SHA-256 of a file's content, in hexadecimal. */
export async function contentHash(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
