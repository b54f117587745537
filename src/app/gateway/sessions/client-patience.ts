import { starPattern } from "../../../util/text/name-pattern.ts";

/** The default of the SDKs is 60 s. */
const DEFAULT_MS = 60_000;

/** The time limits of a call in clients that have another one, by the names that they give. */
const LIMITS: readonly (readonly [name: string, ms: number])[] = [
  ["gemini-cli-mcp-client*", 600_000],
  ["qwen-code*", 600_000],
  ["goose*", 300_000],
];

/** The answer must arrive before the client gives up. */
const MARGIN_MS = 15_000;
/** Requests are answered before the engine denies them, which takes 300 s by default. */
const MOST_MS = 285_000;

/** Returns how long a client of this name waits for a call of which it hears nothing. */
export function patienceOf(client = ""): number {
  const [, limit = DEFAULT_MS] = LIMITS.find(([name]) => starPattern(name)(client)) ?? [];
  return Math.min(limit - MARGIN_MS, MOST_MS);
}
