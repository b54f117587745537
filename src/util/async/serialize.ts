/** Runs work after all earlier work with one of the same names has settled; without names, after all earlier work without names. */
export type Serialize = <T>(work: () => Promise<T>, names?: readonly string[]) => Promise<T>;

const UNNAMED = [""];

/** Creates a queue that runs work in call order. A failure rejects its own promise and does not stop later work. */
export function createSerializer(): Serialize {
  const last = new Map<string, Promise<void>>();
  return async (work, names = UNNAMED) => {
    const before = names.flatMap((name) => last.get(name) ?? []);
    const { promise: turn, resolve: end } = Promise.withResolvers<void>();
    for (const name of names) last.set(name, turn);
    try {
      await Promise.all(before);
      return await work();
    } finally {
      for (const name of names) if (last.get(name) === turn) last.delete(name);
      end();
    }
  };
}
