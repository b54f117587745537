import { INTERVAL_MS, createAllowance } from "../clients/allowance.ts";
import type { Level } from "../clients/gateway.ts";
import { isTold } from "./tell-client.ts";

export interface LogTeller {
  tell(level: Level, data: string): void;
  /** Tells what was held back. */
  flush(): void;
}

/** Passes log messages on to a client, never more often than it can bear; of those between, it is told how many were left out. */
export function createLogTeller(send: (level: Level, data: string) => void): LogTeller {
  const mayTell = createAllowance();
  let last: { readonly level: Level; readonly data: string } | undefined;
  let leftOut = 0;
  let highest: Level = "debug";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    if (last === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    // Whoever would have heard one of them hears that it was left out.
    if (leftOut > 0)
      send(highest, `${leftOut} log ${leftOut === 1 ? "message was" : "messages were"} left out`);
    send(last.level, last.data);
    [last, leftOut, highest] = [undefined, 0, "debug"];
  };
  return {
    flush,
    tell(level, data) {
      if (last === undefined && mayTell()) return send(level, data);
      if (last !== undefined) {
        leftOut += 1;
        if (isTold(last.level, highest)) highest = last.level;
      }
      last = { level, data };
      timer ??= setTimeout(flush, INTERVAL_MS).unref();
    },
  };
}
