// A run of backslashes is one match, and the groups have no names: in a long text each match costs.
const ESCAPE =
  /((?:\\\\)+)|\\(?:x([0-9a-fA-F]{1,2})|x\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g;

const LETTERS: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  '"': '"',
  "?": "?",
};

/** Decodes the escapes of `$'…'`, `printf` and `echo -e`, as bash does. */
export function decodeEscapes(text: string): string {
  return text.replace(ESCAPE, (whole: string, ...groups: readonly (string | undefined)[]) => {
    const [pairs, hex, braced, short, long, octal, control, letter = ""] = groups;
    if (pairs !== undefined) return pairs.slice(pairs.length / 2);
    const digits = hex ?? braced ?? short ?? long;
    if (digits !== undefined) return characterOf(Number.parseInt(digits, 16));
    if (octal !== undefined) return characterOf(Number.parseInt(octal, 8) % 256);
    if (control !== undefined) return characterOf(control.charCodeAt(0) % 32);
    return LETTERS[letter] ?? whole;
  });
}

function characterOf(code: number): string {
  return code > 0x10_ff_ff ? "\ufffd" : String.fromCodePoint(code);
}
