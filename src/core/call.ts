/** A call of a tool by a model. An unreadable call has the reason in `unreadable`, and is answered too. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly unreadable?: string;
}
