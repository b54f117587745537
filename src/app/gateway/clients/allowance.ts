/** How often a client is told something: so many times at once, then once each interval. */
const BURST = 32;
export const INTERVAL_MS = 50;

/** Says each time whether it may be told now. */
export function createAllowance(): () => boolean {
  let free = BURST;
  let freedAt = performance.now();
  return () => {
    const now = performance.now();
    const freed = Math.floor((now - freedAt) / INTERVAL_MS);
    if (freed > 0) [free, freedAt] = [Math.min(BURST, free + freed), now];
    if (free === 0) return false;
    free -= 1;
    return true;
  };
}
