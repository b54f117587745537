/** What a model asks for. An unreadable call says why it could not be read, and is answered too. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly unreadable?: string;
}
