import type { UntrustedText, UntrustedTexts } from "../../core/session/untrusted-texts.ts";

/** More origins than these are not stored: the first ones explain a question well enough. */
const MAX_ORIGINS = 20;

/** The record of the text from outside of one session, with those above and below it. */
export class SessionText implements UntrustedText {
  readonly #store: UntrustedTexts | undefined;
  readonly #session: string;
  #origins: readonly string[] | undefined = undefined;
  #since = Number.POSITIVE_INFINITY;
  #isLoaded = false;
  #loading: undefined | Promise<void> = undefined;

  constructor(session: string, store: UntrustedTexts | undefined) {
    this.#session = session;
    this.#store = store;
  }

  get origins(): readonly string[] | undefined {
    return this.#origins;
  }

  get since(): number {
    return this.#since;
  }

  load(): undefined | Promise<void> {
    if (this.#store === undefined) return undefined;
    if (this.#isLoaded) return undefined;
    return (this.#loading ??= this.#load(this.#store));
  }

  async #load(store: UntrustedTexts): Promise<void> {
    try {
      await this.#read(store);
      this.#isLoaded = true;
    } finally {
      this.#loading = undefined;
    }
  }

  async #read(store: UntrustedTexts): Promise<void> {
    const stored = await store.find(this.#session);
    if (stored === undefined) return;
    this.#since = Math.min(this.#since, stored.since);
    this.#origins = [...new Set([...stored.origins, ...(this.#origins ?? [])])];
  }

  add(origin: string): undefined | Promise<void> {
    const known = this.#origins ?? [];
    if (known.includes(origin) || known.length >= MAX_ORIGINS) return undefined;
    this.#since = Math.min(this.#since, Date.now());
    this.#origins = [...known, origin];
    return this.#store?.set(this.#session, { origins: this.#origins, since: this.#since });
  }
}
