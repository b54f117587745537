import { attempt } from "../../../util/async/attempt.ts";
import { readFileSync } from "node:fs";
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Ctrl-C reaches the launcher and this process, and the launcher forwards its own: both count as one. */
const SAME_MS = 100;

export interface Interrupt {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  close(): void;
}

/** Turns the first Ctrl-C, TERM or closed terminal into an abort; the second ends the process at once. */
export function createInterrupt(): Interrupt {
  const controller = new AbortController();
  let firstAt: number | undefined;
  const end = (name: (typeof SIGNALS)[number]): void => {
    const now = performance.now();
    firstAt ??= now;
    if (!controller.signal.aborted) controller.abort();
    else if (now - firstAt > SAME_MS) endNow(128 + constants.signals[name]);
  };
  for (const name of SIGNALS) process.on(name, end);
  return {
    signal: controller.signal,
    close() {
      for (const name of SIGNALS) process.off(name, end);
    },
  };
}

/** Makes Ctrl-C, TERM and a closed terminal end the process and its children at once; returns a function that stops this. */
export function endOnSignals(): () => void {
  const end = (name: (typeof SIGNALS)[number]): void => endNow(128 + constants.signals[name]);
  for (const name of SIGNALS) process.on(name, end);
  return () => {
    for (const name of SIGNALS) process.off(name, end);
  };
}

/** Ends the process at once, with the process groups of its children. */
function endNow(code: number): never {
  // A child that has ended, or leads no group, cannot be killed.
  for (const pid of childrenOf(process.pid)) attempt(() => process.kill(-pid, "SIGKILL"));
  process.exit(code);
}

function childrenOf(pid: number): readonly number[] {
  const text = attempt(() => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")) ?? "";
  return text.split(" ").map(Number).filter(Boolean);
}
