/** A canonical path: links resolved, and the identity of what was there when it was resolved. */
export interface PathFact {
  readonly kind: "path";
  readonly path: string;
  readonly access: "read" | "write";
  /** Absent where nothing exists there yet. */
  readonly device?: number;
  readonly inode?: number;
}

export interface CommandFact {
  readonly kind: "command";
  readonly text: string;
  readonly cwd: string;
  /** Set by policy when the text is proven to be this one plain command. */
  readonly argv?: readonly string[];
}

export interface HostFact {
  readonly kind: "host";
  readonly host: string;
}

/** Something a call would touch. */
export type Fact = PathFact | CommandFact | HostFact;
