/** Where a shell is started, as far as that decides what its words mean. */
export interface ShellPlace {
  /** The canonical folder it starts in. */
  readonly cwd: string;
  /** What `cd` alone and `~` stand for; left out where nobody knows. */
  readonly home?: string;
}
