/** Keyboard input. */
export type KeyEvent =
  /** Typed characters. */
  | { readonly kind: "text"; readonly text: string }
  /** Pasted characters, line breaks included. */
  | { readonly kind: "paste"; readonly text: string }
  | ({ readonly kind: "key" } & Key);

export interface Key {
  /** `enter`, `left`, `delete` …, or the letter pressed with Ctrl or Alt. */
  readonly name: string;
  readonly ctrl?: true;
  readonly alt?: true;
  readonly shift?: true;
}

/** Returns the name of a key with its modifiers: `ctrl-a`, `alt-enter`, `left`. */
export function nameOf({ name, ctrl, alt, shift }: Key): string {
  return `${ctrl ? "ctrl-" : ""}${alt ? "alt-" : ""}${shift ? "shift-" : ""}${name}`;
}
