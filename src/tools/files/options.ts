/** What the tools of the family need. */
export interface FilesOptions {
  /** The canonical folder where relative paths begin. */
  readonly root: string;
  /** Canonical folders besides the root that belong to the workspace. */
  readonly roots?: readonly string[];
  /** What a leading `~/` stands for. */
  readonly home?: string;
}
