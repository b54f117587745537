import { join } from "node:path";

/**
 * Read-only paths in a workspace: files that run outside the sandbox or grant permissions. All of `.git`, because its config
 * and hooks name programs, and other files in it name configs.
 */
export const PROTECTED: readonly string[] = [".git", ".toolwright", ".mcp.json"];

/** Returns the protected paths of a workspace, whether or not they exist. */
export function protectedPaths(workspace: readonly string[]): readonly string[] {
  return workspace.flatMap((folder) => PROTECTED.map((name) => join(folder, name)));
}

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
  /** True: the program has the network of this machine. */
  readonly hasNetwork: boolean;
  /** Hosts that programs may reach without `hasNetwork`; `*.example.com` is every subdomain. Only some kinds can do this. */
  readonly domains?: readonly string[];
  /** The socket of a proxy that connects to those hosts only, for a kind that has none of its own. */
  readonly proxySocket?: string;
  /** Default: none. */
  readonly limits?: BoxLimits;
  /** Programs that the program starts can neither trace it nor read its memory, where that can be done: see `withoutShield`. */
  readonly isShielded?: boolean;
  /** The program is not root in the sandbox, even if this process is: some programs refuse to be. Only some kinds can do this. */
  readonly isUnprivileged?: boolean;
  /** The program may create user namespaces: a browser makes sandboxes of its own with them. */
  readonly allowsUserNamespaces?: boolean;
  /** Where to store the filter of system calls, if what starts the program passes no `inputs`. */
  readonly filterFile?: string;
  /** For a folder of the workspace, the folder that is mounted there in its place. Only some kinds can do this. */
  readonly copies?: ReadonlyMap<string, string>;
  /** False: nothing of this machine is mounted, and the copies are copied in and back. Only containers with an image can do this. */
  readonly isMounted?: boolean;
  /** A folder for files of the kind itself, outside the sandbox. */
  readonly ownFolder?: string;
  /** The container image; default: an empty one in which the folders of this machine are mounted. */
  readonly image?: string;
}

/** Of each process: its memory and its files. Of all together, where that can be limited: memory and number. */
export interface BoxLimits {
  /** The most memory. */
  readonly memoryBytes: number;
  /** The most processes and threads. */
  readonly processes: number;
  /** The size of /tmp, of the home folder and of /dev/shm; default: half of the memory of this machine. */
  readonly tmpBytes?: number;
}

/** Of a command, or a program whose sandbox has no limits of its own. */
export const USUAL_LIMITS: BoxLimits = { memoryBytes: 2 * 1024 ** 3, processes: 4096 };

/** A program and how to start it. */
export interface BoxedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What it reads from its descriptors 3 and up. */
  readonly inputs?: readonly Uint8Array[];
  /** Called when the program has ended, before its sandbox counts as ended. */
  readonly atEnd?: () => Promise<void>;
}

/** Whether sandboxes work on this machine; if not, why and what to do. */
export type BoxProbe =
  | {
      readonly works: true;
      readonly program: string;
      /** For a program that lets another one create its sandboxes, that one. */
      readonly creator?: string;
      /** The file systems of its sandboxes can have a size. */
      readonly hasSizes?: boolean;
      /** A filter refuses system calls that programs in a sandbox do not need. */
      readonly hasFilter?: boolean;
      /** What this kind does not protect, unlike others. */
      readonly weakness?: string;
    }
  | { readonly works: false; readonly reason: string; readonly hint: string };

/** A probe that found a sandbox that works. */
export type WorkingBox = Extract<BoxProbe, { readonly works: true }>;

/** A way to create sandboxes. */
export interface BoxKind {
  /** Checks that it works by running a program in it; if nothing shall be mounted, only that its engine answers. */
  probe(path: string, isMounted?: boolean): Promise<BoxProbe>;
  /** Returns the same program in a sandbox. Throws `UNAVAILABLE` for what this kind cannot do. */
  wrap(program: BoxedProgram, box: Box, found: WorkingBox): BoxedProgram | Promise<BoxedProgram>;
}
