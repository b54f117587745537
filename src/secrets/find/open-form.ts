import { MAX_KEY } from "./private-keys.ts";

/** How much before a cut is searched for a name whose value follows. */
const MAX_CONTEXT = 640;
/** A name, or the words before a secret, up to where its value begins or before it ends. */
const OPEN =
  /(?<![\w.-])[\w.-]*(?:pass|pwd|pw|secret|token|key|cred|auth|cookie|jwt|pin|salt|dsn|sid|seed|hook|url|sk|bearer|basic|login|user|u|by)[\w-]*["'`\]\\]{0,6}[ \t]{0,24}(?:[:=?]{1,2}>?[ \t]{0,24}(?:\\{0,3}["'`][^"'`\n]{0,512})?(?:[A-Za-z-]{3,10}[ \t]+)?)?$/i;
/** The cookies of a header, and a line of a `.netrc`. */
const LINE = /cookie["'`]?[ \t]{0,24}[:=][^\n]{0,512}$|machine \S{0,256}(?:\s+login[^\n]{0,300}|\s*)$/i;

/** Returns the cut, or an earlier one before a secret that may continue after it: a value beside its name, or a private key. */
export function openForm(text: string, border: number): number {
  return Math.min(beforeName(text, border), beforeKey(text, border));
}

function beforeName(text: string, border: number): number {
  const from = Math.max(0, text.lastIndexOf("\n", border - 1) + 1, border - MAX_CONTEXT);
  const line = text.slice(from, border);
  const starts = [OPEN, LINE].map((pattern) => pattern.exec(line)?.index ?? line.length);
  return from + Math.min(...starts);
}

function beforeKey(text: string, border: number): number {
  const begin = text.lastIndexOf("-BEGIN ");
  const isOpen = begin >= 0 && text.length - begin < MAX_KEY && text.includes("PRIVATE KEY", begin);
  if (isOpen && !ENDED.test(text.slice(begin, border))) return Math.min(border, Math.max(0, begin - 4));
  return beforeLines(text, border);
}

const ENDED = /-END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4}/;

/** A line of encoded data may belong to a key whose end follows. */
const DATA_LINE = /(?:^|[\s:"'`>|+-])[0-9A-Za-z+/]{4,}={0,2}(?:\\{1,4}[nr])*["'`,+ \t]{0,8}\r?$/;
const LONG_LINE = /[0-9A-Za-z+/]{40,}/;

/** Returns the start of the lines of data before the line of the cut, which may be the end of a key; the cut if there are none. */
function beforeLines(text: string, border: number): number {
  const lineStart = text.lastIndexOf("\n", border - 1) + 1;
  let start = lineStart;
  while (start > 0 && border - start < MAX_KEY) {
    const from = text.lastIndexOf("\n", start - 2) + 1;
    const line = text.slice(from, start - 1);
    // Only the last line of a key is short.
    const isData = start - from < MAX_LINE && DATA_LINE.test(line);
    const mayBelong = LONG_LINE.test(line) || (start === lineStart && LONG_LINE.test(lineBefore(text, from)));
    if (!isData || !mayBelong) break;
    start = from;
  }
  return start === lineStart ? border : start;
}

const MAX_LINE = 400;

function lineBefore(text: string, end: number): string {
  return text.slice(Math.max(0, text.lastIndexOf("\n", end - 2) + 1, end - MAX_LINE), end);
}
