/** What the tools of the family need. */
export interface FilesOptions {
  /** The canonical folder where relative paths begin. */
  readonly root: string;
  /** What a leading `~/` stands for. */
  readonly home?: string;
}
