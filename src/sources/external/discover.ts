import { availableParallelism } from "node:os";
import { querySchema } from "./query-schema.ts";
import { mapConcurrent } from "../../util/async/map-concurrent.ts";
import { listPrograms } from "./list-programs.ts";
import type { Problem } from "../problem.ts";
import type { Program, ProgramContext } from "./program.ts";
import { contentHash, identityOf } from "./program.ts";
import type { Declaration } from "./schema.ts";
import { readSchema } from "./schema.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** A folder whose programs are tools. */
export interface ToolDirectory {
  readonly path: string;
  /**
   * Asked of each program before it is run for the first time, with its file name and the SHA-256 of its content; one
   * that is not trusted is never run. Left out: the folder is trusted as a whole.
   */
  readonly isTrusted?: (fileName: string, hash: string) => boolean;
}

/** What was found behind one file. */
export type Discovered =
  | { readonly program: Program; readonly declaration: Declaration }
  | { readonly path: string; readonly problem: Problem };

/**
 * Asks every program in some folders for its schema, many at a time. One that hangs, crashes or babbles is a problem of its own;
 * it rejects only where a folder cannot be read, or the signal is aborted.
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
  return mapConcurrent(lists.flat(), width(), async ({ directory, listed }) => {
    signal.throwIfAborted();
    return "problem" in listed ? listed : ask(listed.program, directory, context, signal);
  });
}

/** Programs wait more than they work, but a second must be enough for each. */
function width(): number {
  return Math.min(32, Math.max(8, availableParallelism() * 4));
}

async function ask(
  program: Program,
  directory: ToolDirectory,
  context: ProgramContext,
  signal: AbortSignal,
): Promise<Discovered> {
  const { path } = program;
  const untrusted = await distrust(program, directory);
  if (untrusted !== undefined) return { path, problem: untrusted };
  const asked = await querySchema(program, context, signal);
  const read = "problem" in asked ? asked : readSchema(asked.text);
  return "problem" in read ? { path, problem: read.problem } : { program, declaration: read.declaration };
}

async function distrust(
  { path, fileName, identity }: Program,
  { isTrusted }: ToolDirectory,
): Promise<Problem | undefined> {
  if (isTrusted === undefined) return undefined;
  try {
    const hash = await contentHash(path);
    // What was hashed must be what is called later on.
    if (identityOf(path) === identity && isTrusted(fileName, hash)) return undefined;
  } catch (error) {
    return { reason: "failed", message: errorMessage(error) };
  }
  return {
    reason: "untrusted",
    message: "it belongs to a folder that is not trusted, or has changed since it was",
    hint: "run toolwright trust",
  };
}
