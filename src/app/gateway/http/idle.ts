/** Things by key that end when nobody has used them for a while, or when there are too many: then the one unused for longest. */
export interface Idle<T> {
  add(key: string, value: T): void;
  /** Counts as a use. */
  get(key: string): T | undefined;
  /** In use until it is called back. */
  hold(key: string): () => void;
  /** Forgets it and ends it. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

export interface IdleOptions<T> {
  readonly idleMs: number;
  readonly max: number;
  /** Left out: only what is held is in use. */
  readonly isBusy?: (value: T) => boolean;
  readonly end: (value: T) => Promise<void>;
}

interface Held<T> {
  readonly value: T;
  usedAt: number;
  holders: number;
}

export function createIdle<T>({ idleMs, max, isBusy = () => false, end }: IdleOptions<T>): Idle<T> {
  const held = new Map<string, Held<T>>();
  const remove = async (key: string): Promise<void> => {
    const one = held.get(key);
    held.delete(key);
    // Whatever goes wrong at its end, it is gone.
    if (one !== undefined) await end(one.value).catch(() => undefined);
  };
  const idlest = (): readonly [string, Held<T>][] => {
    for (const one of held.values()) if (isBusy(one.value)) one.usedAt = performance.now();
    return [...held]
      .filter(([, { value, holders }]) => holders === 0 && !isBusy(value))
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
  };
  const tidy = setInterval(
    () => {
      const before = performance.now() - idleMs;
      for (const [key, { usedAt }] of idlest()) if (usedAt < before) void remove(key);
    },
    Math.max(1000, idleMs / 10),
  ).unref();
  return {
    add(key, value) {
      held.set(key, { value, usedAt: performance.now(), holders: 0 });
      const [oldest] = held.size > max ? (idlest().find(([other]) => other !== key) ?? []) : [];
      if (oldest !== undefined) void remove(oldest);
    },
    get(key) {
      const one = held.get(key);
      if (one !== undefined) one.usedAt = performance.now();
      return one?.value;
    },
    hold(key) {
      const one = held.get(key);
      let isHeld = one !== undefined;
      if (one !== undefined) one.holders += 1;
      return () => {
        if (!isHeld || one === undefined) return;
        isHeld = false;
        one.holders -= 1;
        one.usedAt = performance.now();
      };
    },
    remove,
    async close() {
      clearInterval(tidy);
      await Promise.all([...held.keys()].map(remove));
    },
  };
}
