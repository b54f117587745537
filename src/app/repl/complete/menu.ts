/** What the word before the cursor may become. */
export interface Menu {
  /** Where in the text that word begins. */
  readonly from: number;
  readonly items: readonly Candidate[];
  /** Which one is chosen; -1 where none is yet. */
  readonly chosen: number;
}

export interface Candidate {
  /** What is put in place of the word. */
  readonly text: string;
  readonly description?: string;
}
