/** The notation of a value, which decides how strings are quoted. */
export type Quotes = "json" | "python" | "gemma";

const OUTSIDE = { json: /["{}[\]()<]/g, python: /["'{}[\]()<]/g, gemma: /["{}[\]()<]/g } as const;
const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };
const MAX_DEPTH = 1000;

/** Skips one bracketed value. Returns false, with a part of it skipped, if it is broken or incomplete. */
export function* scanValue(source: Source, quotes: Quotes): Step<boolean> {
  const open: string[] = [];
  const pattern = OUTSIDE[quotes];
  for (;;) {
    pattern.lastIndex = source.at;
    const matched = pattern.exec(source.window)?.[0];
    source.at = matched === undefined ? source.window.length : pattern.lastIndex;
    if (matched === undefined) {
      if (!(yield* source.more())) return false;
      continue;
    }
    const isString = matched === '"' || matched === "'" || (matched === "<" && quotes === "gemma");
    if (isString) {
      if (!(yield* scanString(source, matched, quotes))) return false;
      continue;
    }
    const closer = CLOSERS[matched];
    if (closer !== undefined) {
      if (open.push(closer) > MAX_DEPTH) return false;
      continue;
    }
    // No notation has a "<" outside strings: the value ended before its brackets were closed.
    if (matched === "<" || open.pop() !== matched) {
      source.at -= 1;
      return false;
    }
    if (open.length === 0) return true;
  }
}

const STRING_STOPS = { '"': /["\\]/g, "'": /['\\]/g } as const;

function* scanString(source: Source, quote: '"' | "'" | "<", quotes: Quotes): Step<boolean> {
  if (quote === "<") return yield* scanMarked(source);
  const isTriple = quotes === "python" && (yield* source.peek(2)) === quote + quote;
  if (isTriple) source.at += 2;
  const pattern = STRING_STOPS[quote];
  for (;;) {
    pattern.lastIndex = source.at;
    const matched = pattern.exec(source.window)?.[0];
    source.at = matched === undefined ? source.window.length : pattern.lastIndex;
    if (matched === quote) {
      if (!isTriple) return true;
      // A text may end with quotes of its own.
      if ((yield* source.peek(3)) === quote.repeat(3)) continue;
      if ((yield* source.peek(2)).startsWith(quote + quote)) {
        source.at += 2;
        return true;
      }
      continue;
    }
    if (matched === "\\") {
      if ((yield* source.peek(1)) === "") return false;
      source.at += 1;
    } else if (!(yield* source.more())) return false;
  }
}

/** The special tokens around Gemma's strings, in which a backslash is a character like any other. */
const MARKS = [
  ['|"|>', /<\|"\|>/g],
  ["escape>", /<escape>/g],
] as const;

/** Skips a string between special tokens, of which "<" has been taken. Returns false if it is none. */
function* scanMarked(source: Source): Step<boolean> {
  for (const [rest, end] of MARKS) {
    if ((yield* peekWord(source, rest)) !== rest) continue;
    source.at += rest.length;
    return yield* scanPast(source, end);
  }
  return false;
}

function* scanPast(source: Source, pattern: RegExp): Step<boolean> {
  const match = yield* scanTo(source, pattern);
  source.at += match?.[0].length ?? 0;
  return match !== undefined;
}

/** The length of the longest marker that is searched for. */
const MAX_MARKER = 160;

/**
 * Skips to the start of the next match of a global pattern. Returns undefined, with everything skipped, if there is none. A match
 * must be bounded in length and must not depend on the text after it.
 */
export function* scanTo(source: Source, pattern: RegExp): Step<RegExpExecArray | undefined> {
  for (;;) {
    pattern.lastIndex = source.at;
    const match = pattern.exec(source.window);
    if (match !== null) {
      source.at = match.index;
      return match;
    }
    if (source.isEnded) {
      source.at = source.window.length;
      return undefined;
    }
    source.at = Math.max(source.at, source.window.length - MAX_MARKER);
    yield* source.more();
  }
}

/** Returns as much of a word as is at the cursor, without taking it. */
export function peekWord(source: Source, word: string): Step<string> {
  return source.peekUntil(word.length, (text) => !word.startsWith(text));
}

/** Compiles patterns, each source once. */
export type Patterns = ReturnType<typeof createPatterns>;

/** Sources contain names that models write, so their number is limited. */
const MAX_PATTERNS = 200;

export function createPatterns() {
  const made = new Map<string, RegExp>();
  return {
    /** Returns a global, case-insensitive pattern. If `make` is given, it makes the source, and the first argument is only a key. */
    of: (source: string, make?: () => string): RegExp => {
      const known = made.get(source);
      if (known !== undefined) return known;
      const pattern = new RegExp(make?.() ?? source, "gi");
      if (made.size < MAX_PATTERNS) made.set(source, pattern);
      return pattern;
    },
  };
}

/** Returns the words of a text as a set. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** A reading step, which pauses while the text it needs has not arrived. */
export type Step<T> = Generator<undefined, T, undefined>;

/**
 * A text that arrives in chunks and is read from front to back. The result never depends on where chunks are cut: a reader that needs
 * more text waits for it. Everything taken since the last mark can be read again.
 */
export class Source {
  /** The text that has arrived; what is before `at` is taken. */
  window = "";
  at = 0;
  isEnded = false;
  /** How much of the text is before the window. */
  #before = 0;
  #from = 0;
  #parts: string[] = [];
  #partsLength = 0;

  feed(chunk: string): void {
    if (this.at > this.#from) this.#save(this.window.slice(this.#from, this.at));
    this.#before += this.at;
    this.window = this.at === this.window.length ? chunk : this.window.slice(this.at) + chunk;
    this.at = 0;
    this.#from = 0;
  }

  /** The length of everything taken since the beginning of the text. */
  get position(): number {
    return this.#before + this.at;
  }

  /** Forgets what was taken so far. */
  mark(): void {
    this.#parts = [];
    this.#partsLength = 0;
    this.#from = this.at;
  }

  /** The length of what was taken since the mark. */
  get offset(): number {
    return this.#partsLength + this.at - this.#from;
  }

  /** Returns everything taken since the mark. */
  taken(): string {
    const last = this.window.slice(this.#from, this.at);
    if (this.#parts.length === 0) return last;
    const text = this.#parts.join("") + last;
    this.#parts = [text];
    this.#partsLength = text.length;
    this.#from = this.at;
    return text;
  }

  /** Returns the last characters taken since the mark. */
  tail(count: number): string {
    let text = this.window.slice(Math.max(this.#from, this.at - count), this.at);
    for (let index = this.#parts.length - 1; index >= 0 && text.length < count; index -= 1)
      text = (this.#parts[index] ?? "").slice(text.length - count) + text;
    return text;
  }

  /** Puts back what was taken after this offset. */
  rewind(offset: number): void {
    if (offset >= this.#partsLength) {
      this.at = this.#from + offset - this.#partsLength;
      return;
    }
    const text = this.taken();
    this.#before += this.at - (text.length - offset);
    this.window = text.slice(offset) + this.window.slice(this.at);
    this.#parts = [text.slice(0, offset)];
    this.#partsLength = offset;
    this.at = 0;
    this.#from = 0;
  }

  /** Waits for more text. Returns false if the text has ended. */
  *more(): Step<boolean> {
    if (this.isEnded) return false;
    const had = this.window.length - this.at;
    while (this.window.length - this.at <= had) {
      yield;
      if (this.isEnded) return this.window.length - this.at > had;
    }
    return true;
  }

  /** Returns the next characters without taking them; fewer only at the end. */
  *peek(count: number): Step<string> {
    while (this.window.length - this.at < count && (yield* this.more()));
    return this.window.slice(this.at, this.at + count);
  }

  /** Returns up to `limit` characters without taking them, as soon as the test accepts them or no more can arrive. */
  *peekUntil(limit: number, isSure: (text: string) => boolean): Step<string> {
    for (;;) {
      const text = this.window.slice(this.at, this.at + limit);
      if (text.length >= limit || isSure(text) || !(yield* this.more())) return text;
    }
  }

  /** Takes white space and returns the next character without taking it; "" at the end, or after too much white space. */
  *peekPastSpace(limit = Number.POSITIVE_INFINITY): Step<string> {
    for (let passed = 0; passed <= limit; passed += 1) {
      if (this.at >= this.window.length && !(yield* this.more())) return "";
      const char = this.window.charAt(this.at);
      if (!isSpace(char)) return char;
      this.at += 1;
    }
    return "";
  }

  #save(part: string): void {
    this.#parts.push(part);
    this.#partsLength += part.length;
  }
}

function isSpace(char: string): boolean {
  return char === " " || char === "\n" || char === "\r" || char === "\t";
}
