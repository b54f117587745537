import type { CommandReading } from "./command.ts";

/** A canonical path: links resolved, with the identity of the file that was there. */
export interface PathFact {
  readonly kind: "path";
  /** Absolute, with all links resolved. */
  readonly path: string;
  readonly access: "read" | "write";
  /** Absent if nothing exists there yet. */
  readonly device?: number;
  /** With `device`, the identity of the file when it was judged. */
  readonly inode?: number;
  /** Of a regular file only. */
  readonly size?: number;
  /** Modification time of a file that would be written, so that a change before the write is noticed. */
  readonly modifiedMs?: number;
  /** The call would replace a file that its agent has not seen in this session. */
  readonly unread?: true;
  /** Where it was named: the absolute path as written, and each link that was followed, if they differ from `path`. */
  readonly names?: readonly string[];
  /** Set for a file or folder of the operating system that every user of the machine may read, and for a missing one. */
  readonly isSystem?: true;
  /** The call would delete the file. */
  readonly change?: "delete";
  /** An argument of a command that looks like a path, but may be something else to the program. */
  readonly suspected?: true;
}

/** A shell command that the call would run. */
export interface CommandFact {
  readonly kind: "command";
  readonly text: string;
  readonly cwd: string;
  /** It is typed into a running shell or program, where its meaning is unknown. */
  readonly interactive?: true;
  /** It must not run in a read-only sandbox, so a proof that it only reads does not allow it. */
  readonly outside?: true;
  /** Set by the engine if the command must run in a read-only sandbox: see `Verdict.place`. */
  readonly place?: "sandbox";
  /** Set by the engine if the command must run in the session's sandbox: see `Verdict.isConfined`. */
  readonly isConfined?: true;
  /** Set by the engine if git must not obey the files of the folder: see `Verdict.isGuarded`. */
  readonly isGuarded?: true;
  /** The commands that policy found in the text. */
  readonly reading?: CommandReading;
  /** Set by policy if the text is proven to be this one plain command. */
  readonly argv?: readonly string[];
}

export interface HostFact {
  readonly kind: "host";
  /** A name or an address, without the port. */
  readonly host: string;
}

/** A tool of an MCP server. */
export interface McpFact {
  readonly kind: "mcp";
  readonly server: string;
  readonly tool: string;
}

/** Something that a call would touch. */
export type Fact = PathFact | CommandFact | HostFact | McpFact;
