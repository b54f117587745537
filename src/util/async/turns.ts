/** Runs work when all that was begun before with one of the same names is over. */
export type Turns = <T>(names: readonly string[], work: () => Promise<T>) => Promise<T>;

/** Turns by name. Whoever comes waits for those who came before and for no one else, so no two wait for each other. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return async (names, work) => {
    const before = names.flatMap((name) => last.get(name) ?? []);
    let end = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
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
