/** The secrets of a source: those it has, and those it gets later. */
export type SecretFeed = ReturnType<typeof createSecretFeed>;

/** Creates a feed that passes each secret to everybody who learns from it, also those from before. */
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
