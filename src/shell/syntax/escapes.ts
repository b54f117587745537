const ESCAPE =
  /\\(?:x(?<hex>[0-9a-fA-F]{1,2})|x\{(?<braced>[0-9a-fA-F]+)\}|u(?<short>[0-9a-fA-F]{1,4})|U(?<long>[0-9a-fA-F]{1,8})|(?<octal>[0-7]{1,3})|c(?<control>[\s\S])|(?<letter>[\s\S]))/g;

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
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

/** Decodes the escapes of `$'…'`, `printf` and `echo -e`, as bash does. */
export function decodeEscapes(text: string): string {
  return text.replace(ESCAPE, (whole: string, ...rest: readonly unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const { hex, braced, short, long, octal, control, letter } = groups;
    const digits = hex ?? braced ?? short ?? long;
    if (digits !== undefined) return characterOf(Number.parseInt(digits, 16));
    if (octal !== undefined) return characterOf(Number.parseInt(octal, 8) % 256);
    if (control !== undefined) return characterOf(control.charCodeAt(0) % 32);
    return LETTERS[letter ?? ""] ?? whole;
  });
}

function characterOf(code: number): string {
  return code > 0x10_ff_ff ? "\ufffd" : String.fromCodePoint(code);
}
