/** Something a person did on the keyboard. */
export type KeyEvent =
  /** Characters that were typed. */
  | { readonly kind: "text"; readonly text: string }
  /** Characters that were pasted: they mean themselves, line breaks included. */
  | { readonly kind: "paste"; readonly text: string }
  | ({ readonly kind: "key" } & Key);

export interface Key {
  /** `enter`, `left`, `delete` …, or the letter that was held with Ctrl or Alt. */
  readonly name: string;
  readonly ctrl?: true;
  readonly alt?: true;
  readonly shift?: true;
}

/** A key in one word, for tables: `ctrl-a`, `alt-enter`, `left`. */
export function nameOf({ name, ctrl, alt, shift }: Key): string {
  return `${ctrl ? "ctrl-" : ""}${alt ? "alt-" : ""}${shift ? "shift-" : ""}${name}`;
}
