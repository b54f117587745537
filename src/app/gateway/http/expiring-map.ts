/** A value expires after this time without a use. */
const IDLE_MS = 30 * 60_000;
const MAX_VALUES = 256;

interface Expiring {
  /** A busy value counts as used. */
  isBusy(): boolean;
  close(): Promise<void>;
}

interface Entry<T> {
  readonly value: T;
  usedAt: number;
  holders: number;
}

/** Creates a map whose values are closed when they were unused for a time, or when there are too many: then the one unused for longest. */
export function createExpiringMap<T extends Expiring>(idleMs = IDLE_MS, max = MAX_VALUES) {
  const entries = new Map<string, Entry<T>>();
  /** Removes and closes the value. */
  const remove = async (key: string): Promise<void> => {
    const entry = entries.get(key);
    entries.delete(key);
    // The value is removed, even if it fails to close.
    await entry?.value.close().catch(() => undefined);
  };
  const byIdleTime = (): readonly [string, Entry<T>][] => {
    for (const entry of entries.values()) if (entry.value.isBusy()) entry.usedAt = performance.now();
    return [...entries]
      .filter(([, { value, holders }]) => holders === 0 && !value.isBusy())
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
  };
  const timer = setInterval(
    () => {
      const before = performance.now() - idleMs;
      for (const [key, { usedAt }] of byIdleTime()) if (usedAt < before) void remove(key);
    },
    Math.max(1000, idleMs / 10),
  ).unref();
  return {
    add: (key: string, value: T): void => {
      entries.set(key, { value, usedAt: performance.now(), holders: 0 });
      const [oldest] = entries.size > max ? (byIdleTime().find(([other]) => other !== key) ?? []) : [];
      if (oldest !== undefined) void remove(oldest);
    },
    /** Counts as a use. */
    get(key: string): T | undefined {
      const entry = entries.get(key);
      if (entry !== undefined) entry.usedAt = performance.now();
      return entry?.value;
    },
    /** Marks the value as used until the returned function is called. */
    hold(key: string): () => void {
      const entry = entries.get(key);
      let isHeld = entry !== undefined;
      if (entry !== undefined) entry.holders += 1;
      return () => {
        if (!isHeld || entry === undefined) return;
        isHeld = false;
        entry.holders -= 1;
        entry.usedAt = performance.now();
      };
    },
    remove,
    async close(): Promise<void> {
      clearInterval(timer);
      await Promise.all([...entries.keys()].map(remove));
    },
  };
}
