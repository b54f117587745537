import { statSync } from "node:fs";
import type { Roster } from "../../system/process/roster.ts";

/** A file that can be run. */
export interface Program {
  readonly path: string;
  readonly fileName: string;
  /** Changes whenever the file is replaced or written to. */
  readonly identity: string;
}

/** Where programs run, and what they are given. */
export interface ProgramContext {
  readonly cwd: string;
  /** The whole environment of a program; made by `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Holds the processes that must not outlive this one. */
  readonly roster: Roster;
}

/** Returns the identity of the file behind a path, or undefined if there is none. Synchronous: it runs just before the program starts. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(":");
}
