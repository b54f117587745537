import type { Passage } from "../state/passage.ts";

/** The one effective deadline: the call's, else the tool's, else the engine's. */
export function timeoutMsOf({ line, options, limits }: Passage): number {
  return options.timeoutMs ?? limits?.timeoutMs ?? line.timeoutMs;
}

export function idleMsOf({ line, options, limits }: Passage): number | undefined {
  return options.idleTimeoutMs ?? limits?.idleTimeoutMs ?? line.idleTimeoutMs;
}
