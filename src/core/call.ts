/** A call of a tool by a model. An unreadable call has the reason in `unreadable`, and is answered too. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly unreadable?: string;
  /** What had to be repaired to read the call, in a few words: its answer says so to the model. */
  readonly repaired?: string;
}
