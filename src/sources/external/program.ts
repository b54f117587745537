import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
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

/** The identity of the file that a path leads to; undefined where there is none. Waits, as it is a look just before a start. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(":");
}

/** The SHA-256 of a file's content, in hexadecimal. */
export async function contentHash(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
