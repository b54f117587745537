/** Patterns by their source, each made once. */
export interface Patterns {
  /** Global, and blind to case. */
  of(source: string): RegExp;
}

/** The names in them come from models: no more than this many are kept. */
const MAX_KEPT = 200;

export function createPatterns(): Patterns {
  const made = new Map<string, RegExp>();
  return {
    of: (source) => {
      const known = made.get(source);
      if (known !== undefined) return known;
      const pattern = new RegExp(source, "gi");
      if (made.size < MAX_KEPT) made.set(source, pattern);
      return pattern;
    },
  };
}
