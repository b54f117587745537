import type { ReactNode } from "react";
import { clockOf, durationOf, timeOf } from "../../../ui/values/format.ts";
import { linkTo, useNow } from "../../../ui/address/hooks.ts";
import { outcomeOf, type Call } from "../../../ui/values/call-bits.tsx";
import { inLanes } from "./lanes.ts";
import { callKey } from "../../../../src/util/text/call-key.ts";

/** More bars than these cannot be told apart. */
const MAX_BARS = 250;
const TICKS = 5;
/** The width of the shortest bar with the gap behind it, in pixels. */
const SHORTEST = 9;
/** Bars wider than this share of the whole, in percent, have the name of the tool. */
const NAMED_FROM = 4;

/** The last calls as bars over time; calls that ran at the same time are in different lanes. */
export function Timeline({
  calls,
  windowMs,
}: {
  readonly calls: readonly Call[];
  readonly windowMs: number;
}): ReactNode {
  const now = useNow(1000);
  const from = now - windowMs;
  const spans = calls
    .slice(0, MAX_BARS)
    .map((call) => ({ call, start: call.receivedAt, end: endOf(call, now) }))
    .filter(({ end }) => end >= from);
  const lanes = inLanes(spans, (windowMs * SHORTEST) / window.innerWidth);
  const left = (at: number): number => ((Math.max(at, from) - from) / windowMs) * 100;
  return (
    <section className="timeline panel" aria-label={`Calls of the last ${durationOf(windowMs)}`}>
      <div className="ticks" aria-hidden="true">
        {Array.from({ length: TICKS }, (_, index) => (
          <span key={index} style={{ left: `${(index / TICKS) * 100}%` }}>
            {clockOf(from + (index / TICKS) * windowMs)}
          </span>
        ))}
      </div>
      {lanes.length === 0 && <p className="muted small quiet">No calls in this time</p>}
      <ol className="lanes">
        {lanes.map((lane) => (
          <li key={lane[0] && callKey(lane[0].call)} className="lane">
            {lane.map(({ call, start, end }) => {
              const [tone, text] = outcomeOf(call);
              return (
                <a
                  key={callKey(call)}
                  className={`span ${tone}${left(end) - left(start) > NAMED_FROM ? " named" : ""}`}
                  href={linkTo("calls", callKey(call))}
                  style={{ left: `${left(start)}%`, width: `${Math.max(0.4, left(end) - left(start))}%` }}
                  title={`${call.name}: ${text}, ${durationOf(end - start)}`}
                  aria-label={`${call.name}, ${text}, at ${timeOf(start)}, ${durationOf(end - start)}`}
                >
                  {left(end) - left(start) > NAMED_FROM && call.name}
                </a>
              );
            })}
          </li>
        ))}
      </ol>
    </section>
  );
}

function endOf({ receivedAt, durationMs, state }: Call, now: number): number {
  if (durationMs !== null) return receivedAt + durationMs;
  return state === "open" || state === "pending" ? now : receivedAt;
}
