/** A request waits so long for calls that are not counted yet; the rest is counted in the background. */
const WAIT_MS = 150;

export interface BackgroundCount {
  /** Counts, unless that is under way. Resolves with true if it goes on after the time that a request waits; rejects if it fails before. */
  isPartial(): Promise<boolean>;
  /** Resolves when nothing is counted; never rejects. */
  ended(): Promise<void>;
}

/** Creates a count that runs once at a time. */
export function countWithin(countAll: () => Promise<void>, waitMs = WAIT_MS): BackgroundCount {
  let counting: Promise<void> | undefined;
  return {
    async isPartial() {
      counting ??= countAll().finally(() => void (counting = undefined));
      const late = new Promise<"late">((resolve) => void setTimeout(resolve, waitMs, "late").unref());
      return (await Promise.race([counting, late])) === "late";
    },
    async ended() {
      await counting?.catch(() => undefined);
    },
  };
}
