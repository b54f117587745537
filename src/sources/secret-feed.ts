/** Creates a feed of the secrets of a source, those it has and those it gets later. It passes each secret to all that learn from it, also those from before. */
export function createSecretFeed(secrets: readonly string[], onSecret?: (secret: string) => void) {
  const known = new Set(secrets);
  const learners = new Set<(secret: string) => void>();
  return {
    add: (secret: string): void => {
      known.add(secret);
      onSecret?.(secret);
      for (const learn of learners) learn(secret);
    },
    teach: (learn: (secret: string) => void): void => {
      learners.add(learn);
      for (const secret of known) learn(secret);
    },
  };
}
