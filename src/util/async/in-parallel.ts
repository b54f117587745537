/** Does some work on each of many things, so many at a time; results come in the order of the things. */
export async function inParallel<T, R>(
  things: readonly T[],
  width: number,
  work: (thing: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = things.entries();
  const takeOn = async (): Promise<void> => {
    for (const [index, thing] of queue) results[index] = await work(thing);
  };
  await Promise.all(Array.from({ length: Math.min(width, things.length) }, takeOn));
  return results;
}
