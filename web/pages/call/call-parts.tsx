import type { ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import { Copy, Json } from "../../ui/values/code.tsx";
import { durationOf, timeOf } from "../../ui/values/format.ts";
import { linkTo } from "../../ui/address/hooks.ts";
import { Outcome, type CallDetail } from "../../ui/values/call-bits.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import type { Span } from "../../ui/charts/waterfall.tsx";
import { callKey } from "../../../src/util/text/call-key.ts";

/** Returns the call and those that it made, as bars over time. */
export function spansOf({ call, phases, calls }: CallDetail): readonly Span[] {
  return [call, ...calls].map((one, index) => ({
    id: callKey(one),
    parentId: index === 0 ? null : callKey(call),
    kind: "call",
    name: one.name,
    detail: one.summary,
    from: one.receivedAt,
    to: one.durationMs === null ? null : one.receivedAt + one.durationMs,
    outcome: one.outcome,
    phases: index === 0 ? phases : [],
    inputTokens: null,
    outputTokens: null,
    cost: null,
    worker: null,
    machine: null,
    address: ["calls", callKey(one)],
  }));
}

/** Links to the differences from other calls of the same tool. */
export function Compare({ id, detail }: { readonly id: string; readonly detail: CallDetail }): ReactNode {
  const { data } = useRead("calls", { name: detail.call.name, limit: 6, all: true });
  const others = (data?.calls ?? []).filter((one) => callKey(one) !== id && one.state === "answered");
  if (others.length === 0) return null;
  return (
    <Panel title="Compare with">
      <ul className="list">
        {others.slice(0, 5).map((one) => (
          <li key={callKey(one)}>
            <a className="item" href={linkTo("calls", callKey(one), id)}>
              <span className="row spread">
                {timeOf(one.receivedAt)} <Outcome call={one} />
              </span>
              <span className="small muted clip mono">{one.summary}</span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function CallList({
  title,
  calls,
}: {
  readonly title: string;
  readonly calls: CallDetail["calls"];
}): ReactNode {
  if (calls.length === 0) return null;
  return (
    <Panel title={title}>
      <ul className="list">
        {calls.map((call) => (
          <li key={callKey(call)}>
            <a className="item" href={linkTo("calls", callKey(call))}>
              <span className="row spread">
                {call.name} <Outcome call={call} />
              </span>
              <span className="small muted clip mono">{call.summary}</span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Events({ detail: { events, call } }: { readonly detail: CallDetail }): ReactNode {
  return (
    <Panel
      title="Events"
      actions={
        <Copy text={events.map((event) => JSON.stringify(event)).join("\n")} label="Copy as JSON lines" />
      }
    >
      {events.length === 0 ? (
        <p className="muted">No events are known of this call.</p>
      ) : (
        <ol className="list">
          {events.map((event, index) => (
            // oxlint-disable-next-line no-array-index-key -- events are only appended
            <li key={index}>
              <details>
                <summary className="row spread item-row">
                  <code>{event.type}</code>
                  <span className="small muted">+{durationOf(Math.max(0, event.at - call.receivedAt))}</span>
                </summary>
                <Json value={event} label={event.type} />
              </details>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
