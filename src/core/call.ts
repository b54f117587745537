/** A call of a tool by a model. An unreadable call has the reason in `unreadable`, and is answered too. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Why the call could not be read from the message: it is answered with `UNREADABLE_CALL`. */
  readonly unreadable?: string;
  /** What had to be repaired to read the call, in a few words: its answer says so to the model. */
  readonly repaired?: string;
}
