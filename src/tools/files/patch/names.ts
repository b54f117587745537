interface Names {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Returns the name in a header: up to a tab, unquoted if git has quoted it. */
export function toName(text: string): string {
  if (text.startsWith('"')) return unquoted(text);
  return (text.split("\t", 1)[0] ?? "").trimEnd();
}

/** Removes git's prefixes `a/` and `b/`; other names stay. */
export function withoutPrefixes({ from, to }: Names): Names {
  const isPrefixed = (from ?? "a/").startsWith("a/") && (to ?? "b/").startsWith("b/");
  return isPrefixed ? { from: from?.slice(2), to: to?.slice(2) } : { from, to };
}

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "\\": 92,
};

/** Git writes bytes beyond ASCII as three octal digits each. */
function unquoted(text: string): string {
  const inner = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text;
  const parts = [...inner.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)].map(([whole, octal, letter]) => {
    if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8)]);
    return letter === undefined ? Buffer.from(whole) : Buffer.from([ESCAPES[letter] ?? letter.charCodeAt(0)]);
  });
  return Buffer.concat(parts).toString("utf8");
}
