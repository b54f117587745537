/** The candidates for the word before the cursor. */
export interface Menu {
  /** The position in the text at which the word starts. */
  readonly from: number;
  readonly items: readonly Candidate[];
  /** The chosen candidate; -1: none. */
  readonly chosen: number;
}

export interface Candidate {
  /** Replaces the word. */
  readonly text: string;
  readonly description?: string;
}
