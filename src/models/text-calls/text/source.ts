/** Reading that pauses where the text is not there yet. */
export type Step<T> = Generator<undefined, T, undefined>;

/**
 * A text that arrives in parts, read from front to back. What is read never depends on where the parts were cut: a reader that needs to
 * know more waits for it. Everything taken since the last mark can be had back.
 */
export class Source {
  /** The part at hand; what lies before `at` is taken. */
  window = "";
  at = 0;
  isEnded = false;
  #from = 0;
  #parts: string[] = [];
  #partsLength = 0;

  feed(chunk: string): void {
    if (this.at > this.#from) this.#keep(this.window.slice(this.#from, this.at));
    this.window = this.at === this.window.length ? chunk : this.window.slice(this.at) + chunk;
    this.at = 0;
    this.#from = 0;
  }

  /** From here on, what is taken is kept. */
  mark(): void {
    this.#parts = [];
    this.#partsLength = 0;
    this.#from = this.at;
  }

  /** How much was taken since the mark. */
  get offset(): number {
    return this.#partsLength + this.at - this.#from;
  }

  /** Everything taken since the mark. */
  taken(): string {
    const last = this.window.slice(this.#from, this.at);
    if (this.#parts.length === 0) return last;
    const text = this.#parts.join("") + last;
    this.#parts = [text];
    this.#partsLength = text.length;
    this.#from = this.at;
    return text;
  }

  /** Gives back what was taken behind this offset, to be read again. */
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

  /** Waits until there is more; false when there will be no more. */
  *more(): Step<boolean> {
    if (this.isEnded) return false;
    const had = this.window.length - this.at;
    while (this.window.length - this.at <= had) {
      yield;
      if (this.isEnded) return this.window.length - this.at > had;
    }
    return true;
  }

  /** The next characters without taking them; fewer only at the end. */
  *peek(count: number): Step<string> {
    while (this.window.length - this.at < count && (yield* this.more()));
    return this.window.slice(this.at, this.at + count);
  }

  /** The next character that is no white space, without taking it but the white space; "" at the end, or where there is too much space. */
  *peekPastSpace(limit = Number.POSITIVE_INFINITY): Step<string> {
    for (let passed = 0; passed <= limit; passed += 1) {
      if (this.at >= this.window.length && !(yield* this.more())) return "";
      const char = this.window.charAt(this.at);
      if (!isSpace(char)) return char;
      this.at += 1;
    }
    return "";
  }

  #keep(part: string): void {
    this.#parts.push(part);
    this.#partsLength += part.length;
  }
}

function isSpace(char: string): boolean {
  return char === " " || char === "\n" || char === "\r" || char === "\t";
}
