import { setFlagsFromString } from "node:v8";

/** What is loaded afterwards is compiled without Node's cache: by then all that calls need is there. */
const AFTER_CALLS = 50;
/** Node 22 to 26. A version that does not know a word complains on standard error. */
const KNOWN_V8 = new Set([12, 13, 14]);

/** V8's own numbers are 400, 3000, 500, 460 and 920. */
export const WORDS: readonly string[] = [
  "--invocation-count-for-maglev=100",
  "--invocation-count-for-turbofan=300",
  "--minimum-invocations-after-ic-update=100",
  "--max-inlined-bytecode-size=900",
  "--max-inlined-bytecode-size-cumulative=3000",
];

export interface OptimiseEarlyOptions {
  readonly say?: (word: string) => void;
  readonly v8?: string;
}

/**
 * Gives what to call at each call. Whoever makes many makes many more, and each runs the same code once: V8 would optimise it after
 * thousands. Only for a process of our own, as it holds for all that runs there.
 */
export function optimiseEarly(options: OptimiseEarlyOptions = {}): () => void {
  const { say = setFlagsFromString, v8 = process.versions.v8 } = options;
  const words = KNOWN_V8.has(Number.parseInt(v8, 10)) ? WORDS : [];
  let calls = 0;
  return () => {
    calls += 1;
    if (calls === AFTER_CALLS) for (const word of words) say(word);
  };
}
