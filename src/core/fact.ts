import type { CommandReading } from "./command.ts";

/** A canonical path: links resolved, and the identity of what was there when it was resolved. */
export interface PathFact {
  readonly kind: "path";
  readonly path: string;
  readonly access: "read" | "write";
  /** Absent where nothing exists there yet. */
  readonly device?: number;
  readonly inode?: number;
  /** Of a regular file only. */
  readonly size?: number;
  /** Of a file that would be written: when it was changed, so that a change before the write is noticed. */
  readonly modifiedMs?: number;
  /** The call would replace a file that its agent has not seen in this session. */
  readonly unread?: true;
  /** Of a write that leaves nothing there. */
  readonly change?: "delete";
  /** A word of a command that looks like a path; the program may mean something else by it. */
  readonly suspected?: true;
}

export interface CommandFact {
  readonly kind: "command";
  readonly text: string;
  readonly cwd: string;
  /** It is typed into a shell or program that runs already: nobody knows what the words mean there. */
  readonly kept?: true;
  /** What policy read in the text. */
  readonly reading?: CommandReading;
  /** Set by policy when the text is proven to be this one plain command. */
  readonly argv?: readonly string[];
}

export interface HostFact {
  readonly kind: "host";
  readonly host: string;
}

/** A tool of an MCP server. */
export interface McpFact {
  readonly kind: "mcp";
  readonly server: string;
  readonly tool: string;
}

/** Something a call would touch. */
export type Fact = PathFact | CommandFact | HostFact | McpFact;
