import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import { findProgram } from "../box/find-program.ts";
import { runProcess } from "../process/process.ts";
import { hardenGit } from "./hardened-environment.ts";
import { findNamedPrograms } from "./named-programs.ts";
import { repositoryIn, textOf } from "./repository.ts";

/** A file that differs from the last commit, with the two letters that git writes for it. */
export interface ChangedFile {
  readonly letters: string;
  /** Relative to the top folder of the repository. */
  readonly path: string;
}

/** Returns the branch of the repository around a folder, or the beginning of its commit without one; undefined without a repository. Starts no program. */
export function readBranch(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const repository = repositoryIn(at);
    const head = repository && attempt(() => textOf(join(repository.own, "HEAD")));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)/.exec(head)?.[1] ?? head.trim().slice(0, 12);
    if (at === dirname(at)) return undefined;
  }
}

interface ChangesOptions {
  /** The environment of the program, with its PATH. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** The longest list of changes that is read. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Returns the files that git reports as changed; undefined if that is not known in time, if there is no git, or if the config
 * of the repository may name programs, which git would start.
 */
export async function readChanges(
  folder: string,
  { environment, timeoutMs }: ChangesOptions,
): Promise<readonly ChangedFile[] | undefined> {
  try {
    const file = findProgram("git", environment["PATH"] ?? "");
    if (file === undefined || isWithin(realpathSync(file), folder)) return undefined;
    if ((await findNamedPrograms(folder)) !== undefined) return undefined;
    let output = "";
    const signal = AbortSignal.timeout(timeoutMs);
    const { exitCode } = await runProcess({
      file,
      args: ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal"],
      cwd: folder,
      env: hardenGit(environment),
      signal,
      rest: "none",
      onOutput(chunk) {
        if (chunk.stream === "stdout" && output.length < MAX_CHARACTERS) output += chunk.text;
        return undefined;
      },
    });
    return exitCode === 0 && !signal.aborted ? parseStatus(output) : undefined;
  } catch {
    // The program could not be started, or the folder cannot be read.
    return undefined;
  }
}

/** Reads lines like ` M src/a.ts`, each ended by a zero byte. */
function parseStatus(output: string): readonly ChangedFile[] {
  return output
    .split("\0")
    .filter((line) => line.length > 3)
    .map((line) => ({ letters: line.slice(0, 2).trim(), path: line.slice(3) }));
}
