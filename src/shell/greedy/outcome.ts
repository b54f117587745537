/** The folders where a shell may be once something has succeeded, and once it has failed; none where nobody can tell. */
export interface Outcome {
  readonly ok: readonly string[];
  readonly failed: readonly string[];
}

/** Wherever the shell was, it is there still. */
export function stay(cwds: readonly string[]): Outcome {
  return { ok: cwds, failed: cwds };
}
