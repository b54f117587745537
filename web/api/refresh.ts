import { useEffect, useRef } from "react";
import { changedBy, type Changed } from "./changes.ts";
import { useEvents } from "./events.ts";
import { queries } from "./queries.ts";

/** Events come in bursts: what they changed is read again at most this often. */
const REFRESH_MS = 400;

/** Reads again what events say has changed; after a gap in the events, everything. Rendered once. */
export function useRefresh(): void {
  const dirty = useRef(new Map<string, Changed>());
  const timer = useRef<number | undefined>(undefined);
  const isFirst = useRef(true);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEvents((event) => {
    if (event.type === "stream.opened") {
      if (!event.isComplete && !isFirst.current) void queries.invalidateQueries();
      isFirst.current = false;
    }
    for (const changed of changedBy(event)) dirty.current.set(JSON.stringify(changed), changed);
    if (dirty.current.size === 0 || timer.current !== undefined) return;
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      for (const queryKey of dirty.current.values()) void queries.invalidateQueries({ queryKey });
      dirty.current.clear();
    }, REFRESH_MS);
  });
}
