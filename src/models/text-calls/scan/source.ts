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
  #from = 0;
  #parts: string[] = [];
  #partsLength = 0;

  feed(chunk: string): void {
    if (this.at > this.#from) this.#save(this.window.slice(this.#from, this.at));
    this.window = this.at === this.window.length ? chunk : this.window.slice(this.at) + chunk;
    this.at = 0;
    this.#from = 0;
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

  /** Puts back what was taken after this offset. */
  rewind(offset: number): void {
    if (offset >= this.#partsLength) {
      this.at = this.#from + offset - this.#partsLength;
      return;
    }
    const text = this.taken();
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
