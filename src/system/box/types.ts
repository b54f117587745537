/** The resources that a sandboxed program may access. */
export interface Box {
  /** The PATH on which programs, including the one that creates the sandbox, are found; default for the latter: the system's folders. */
  readonly path?: string;
  /** Writable folders. */
  readonly workspace: readonly string[];
  /** Read-only files and folders, in addition to those that every program needs. */
  readonly readable: readonly string[];
  /** Existing files and folders in those, which appear empty. */
  readonly hidden?: readonly string[];
  readonly hasNetwork: boolean;
  /** Limits the memory and the size of files of each process, and the number of processes. */
  readonly isLimited?: boolean;
}

/** A program and how to start it. */
export interface BoxedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Whether sandboxes work on this machine; if not, why and what to do. */
export type BoxProbe =
  | { readonly works: true; readonly program: string }
  | { readonly works: false; readonly reason: string; readonly hint: string };

/** A way to create sandboxes. */
export interface BoxKind {
  /** Checks that it works by running a program in it. */
  probe(path: string): Promise<BoxProbe>;
  /** Returns the same program in a sandbox that the probed program creates. */
  wrap(program: BoxedProgram, box: Box, creator: string): BoxedProgram;
}
