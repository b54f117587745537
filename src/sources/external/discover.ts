import { availableParallelism } from "node:os";
import { querySchema } from "./query-schema.ts";
import { mapConcurrent } from "../../util/async/map-concurrent.ts";
import { hashOfFile } from "../../system/files/content-hash.ts";
import { listPrograms } from "./list-programs.ts";
import type { Problem } from "../problem.ts";
import { identityOf, type Program, type ProgramContext } from "./program.ts";
import { readSchema, type Declaration } from "./schema.ts";

/** A folder whose programs are tools. */
export interface ToolDirectory {
  readonly path: string;
  /**
   * Called for each program before it is first run, with its file name and the SHA-256 of its content; an untrusted program is never
   * run. Default: all programs in the folder are trusted.
   */
  readonly isTrusted?: (fileName: string, hash: string) => boolean;
}

/** The result for one file. */
export type Discovered =
  | { readonly program: Program; readonly declaration: Declaration }
  | { readonly path: string; readonly problem: Problem };

/**
 * Queries every program in the folders for its schema, many at a time. A program that hangs, crashes or prints too much becomes a
 * problem of its own; rejects only if a folder cannot be read or the signal is aborted.
 */
export async function discover(
  directories: readonly ToolDirectory[],
  context: ProgramContext,
  signal: AbortSignal,
): Promise<readonly Discovered[]> {
  const lists = await Promise.all(
    directories.map(async (directory) =>
      (await listPrograms(directory.path)).map((listed) => ({ directory, listed })),
    ),
  );
  return mapConcurrent(lists.flat(), concurrency(), async ({ directory, listed }) => {
    signal.throwIfAborted();
    return "problem" in listed ? listed : inspect(listed.program, directory, context, signal);
  });
}

/** Programs mostly wait, but each must finish within its second. */
function concurrency(): number {
  return Math.min(32, Math.max(8, availableParallelism() * 4));
}

async function inspect(
  program: Program,
  directory: ToolDirectory,
  context: ProgramContext,
  signal: AbortSignal,
): Promise<Discovered> {
  const { path } = program;
  const problem = checkTrust(program, directory);
  if (problem !== undefined) return { path, problem };
  const output = await querySchema(program, context, signal);
  const read = "problem" in output ? output : readSchema(output.text);
  return "problem" in read ? { path, problem: read.problem } : { program, declaration: read.declaration };
}

function checkTrust(
  { path, fileName, identity }: Program,
  { isTrusted }: ToolDirectory,
): Problem | undefined {
  if (isTrusted === undefined) return undefined;
  const hash = hashOfFile(path);
  if (hash === undefined) return { reason: "failed", message: "it cannot be read, or is over 64 MB" };
  // The hashed content must be what is called later.
  if (identityOf(path) === identity && isTrusted(fileName, hash)) return undefined;
  return {
    reason: "untrusted",
    message: "its folder is not trusted, or it has changed since it was trusted",
    hint: "run toolwright trust",
  };
}
