/** Buckets per doubling: a percentile is at most 19 % away from the exact one. */
const PER_DOUBLING = 4;

/** Returns the bucket of a duration. Bucket `n` has those above 2^((n-1)/4) ms, up to 2^(n/4) ms. */
export function bucketOf(ms: number): number {
  return ms <= 1 ? 0 : Math.ceil(Math.log2(ms) * PER_DOUBLING);
}

/** Returns the duration below which a share of the counted ones are, in milliseconds; null if none was counted. */
export function percentileOf(counts: ReadonlyMap<number, number>, share: number): number | null {
  const total = counts.values().reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(total * share));
  const [lowest, ...higher] = [...counts].toSorted(([one], [other]) => one - other);
  let last = lowest;
  for (const each of [lowest, ...higher]) {
    if (each === undefined) continue;
    last = each;
    if (each[1] >= left) break;
    left -= each[1];
  }
  const [bucket = 0, count = 1] = last ?? [];
  if (bucket === 0) return 1;
  const [from, to] = [2 ** ((bucket - 1) / PER_DOUBLING), 2 ** (bucket / PER_DOUBLING)];
  return Math.round(from + (to - from) * (left / count));
}
