import { createKey, type Key } from "../context.ts";

/** Returns the start and the end of each secret in a text, in order; undefined if there are none. */
export type FindSecrets = (text: string) => readonly (readonly [start: number, end: number])[] | undefined;

/** For tools that cut their output themselves: a secret that is cut is not found afterwards. Absent for a tool that may return secrets. */
export const FindSecretsKey: Key<FindSecrets> = createKey("FindSecrets");
