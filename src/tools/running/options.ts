/** What the tools of the family need. */
export interface RunningOptions {
  /** The canonical folder where commands run unless told otherwise. */
  readonly root: string;
  /** What a leading `~/` in a folder stands for. */
  readonly home?: string;
  /** All that a command sees of the environment; made by `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
}
