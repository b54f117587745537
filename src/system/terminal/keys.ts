const ESCAPE = "\u001B";

const KEYS: Readonly<Record<string, string>> = {
  Enter: "\r",
  Tab: "\t",
  Escape: ESCAPE,
  Backspace: "\u007F",
  Up: `${ESCAPE}[A`,
  Down: `${ESCAPE}[B`,
  Right: `${ESCAPE}[C`,
  Left: `${ESCAPE}[D`,
  Home: `${ESCAPE}[H`,
  End: `${ESCAPE}[F`,
  Delete: `${ESCAPE}[3~`,
  PageUp: `${ESCAPE}[5~`,
  PageDown: `${ESCAPE}[6~`,
};

/** The names of keys other than Control combinations. */
export const KEY_NAMES: readonly string[] = Object.keys(KEYS);

/** Returns the bytes that a key sends: `C-c` and so on, or one of `KEY_NAMES`; undefined for any other text. */
export function keyBytes(name: string): string | undefined {
  const [, letter] = /^C-([a-z\\\]])$/i.exec(name) ?? [];
  if (letter !== undefined) return String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f);
  return Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
}
