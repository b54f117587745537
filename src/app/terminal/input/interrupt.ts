import { readFileSync } from "node:fs";
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** A terminal's Ctrl-C reaches the launcher and this process, and the launcher passes its own on: both are one. */
const SAME_MS = 100;

export interface Interrupt {
  /** Aborted by the first request to end. */
  readonly signal: AbortSignal;
  close(): void;
}

/** Turns Ctrl-C, TERM and a closed terminal into a cancel; asked a second time, the process ends at once. */
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

/** Lets Ctrl-C, TERM and a closed terminal end the process at once, and all that it started with it; gives back the way to stop. */
export function endOnSignals(): () => void {
  const end = (name: (typeof SIGNALS)[number]): void => endNow(128 + constants.signals[name]);
  for (const name of SIGNALS) process.on(name, end);
  return () => {
    for (const name of SIGNALS) process.off(name, end);
  };
}

/** Ends the process without waiting; what it started leads its own process groups, which are ended with it. */
function endNow(code: number): never {
  for (const pid of childrenOf(process.pid)) {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It is gone already, or leads no group.
    }
  }
  process.exit(code);
}

function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return text.split(" ").map(Number).filter(Boolean);
  } catch {
    return [];
  }
}
