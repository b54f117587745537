import type { ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import {
  agoOf,
  bucketNameOf,
  costOf,
  countOf,
  durationOf,
  shortCountOf,
  timeOf,
} from "../../ui/values/format.ts";
import { Chart, Sparkline } from "../../ui/charts/chart.tsx";
import { Empty, Failed, Loading } from "../../ui/layout/states.tsx";
import { linkTo, useAddressed, useNow } from "../../ui/address/hooks.ts";
import { Outcome } from "../../ui/values/call-bits.tsx";
import { PageHead, Panel } from "../../ui/layout/panel.tsx";
import { Segments, valuesOf } from "../../ui/controls/inputs.tsx";
import { IfPage } from "../../ui/controls/needs.tsx";
import { callKey } from "../../../src/util/text/call-key.ts";
import { callsSeriesOf, knownPoints, linkToCalls, SPANS, type Counts, type KnownPoint } from "./counts.ts";
import { BusiestTools } from "./busiest-tools.tsx";

/** The first page: how the calls do, what waits for a person, and what happened last. */
export function OverviewPage(): ReactNode {
  const [span, setSpan] = useAddressed("range", "86400000", valuesOf(SPANS));
  const now = useNow(30_000);
  const since = Math.floor((now - Number(span)) / 30_000) * 30_000;
  const { data, error, refetch } = useRead(
    "counts",
    { since, buckets: 48 },
    { everyMs: 15_000, keepsPrevious: true },
  );
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="the overview" />;
  const points = knownPoints(data);
  return (
    <div className="page">
      <PageHead title="Overview" about="Every call of every tool, from every process.">
        <Segments label="Time" options={SPANS} value={span} onChange={setSpan} />
      </PageHead>
      <Tiles counts={data} points={points} />
      <p className="small muted" role="status">
        Counted in whole buckets of {durationOf(data.bucketMs)}: since {timeOf(data.since)}
        {data.isPartial && "; older calls are still being counted"}.
      </p>
      <Panel
        title={`Calls per ${bucketNameOf(data.bucketMs)}`}
        actions={<a href={`${linkTo("charts")}?range=${span}`}>All charts</a>}
      >
        <Chart
          label="Calls"
          kind="bars"
          at={points.map(({ at }) => at)}
          bucketMs={data.bucketMs}
          format={shortCountOf}
          series={callsSeriesOf(points)}
          linkOf={(from, to) => linkToCalls({ from, to })}
        />
      </Panel>
      <div className="columns">
        <Waiting />
        <LastFailures />
        <LastSessions />
        <BusiestTools counts={data} />
      </div>
    </div>
  );
}

function Tiles({
  counts,
  points,
}: {
  readonly counts: Counts;
  readonly points: readonly KnownPoint[];
}): ReactNode {
  const { total, since: from, until: to } = counts;
  const { data: state } = useRead("state");
  const lines = (valueOf: (point: KnownPoint) => number | null | undefined) =>
    points.map((point) => valueOf(point) ?? null);
  const ran = Math.max(1, total.calls - total.denied);
  return (
    <dl className="tiles">
      <Tile
        name="Calls"
        href={linkToCalls({ from, to })}
        value={shortCountOf(total.calls)}
        hint={`${countOf(total.denied)} denied`}
      >
        <Sparkline colour="accent" values={lines(({ calls }) => calls)} />
      </Tile>
      <Tile
        name="Failed"
        href={linkToCalls({ from, to, show: "failed" })}
        value={shortCountOf(total.failed)}
        hint={`${((total.failed / ran) * 100).toFixed(1)} %`}
      >
        <Sparkline colour="bad" values={lines(({ failed }) => failed)} />
      </Tile>
      <Tile
        name="p95"
        href={linkTo("charts")}
        value={total.p95Ms === null ? "–" : durationOf(total.p95Ms)}
        hint={total.p50Ms === null ? "nothing ran" : `p50 ${durationOf(total.p50Ms)}`}
      >
        <Sparkline colour="info" values={lines(({ p95Ms }) => p95Ms)} />
      </Tile>
      <Tile
        name="Waiting for you"
        href={linkTo("approvals")}
        value={String(state?.approvals ?? 0)}
        hint={total.waitP95Ms === null ? "none waited before" : `p95 ${durationOf(total.waitP95Ms)}`}
      >
        <Sparkline colour="warn" values={lines(({ waitP95Ms }) => waitP95Ms)} />
      </Tile>
      <Tile
        name="Cost"
        href={linkTo("charts")}
        value={costOf(total.cost)}
        hint={`${shortCountOf(total.inputTokens + total.outputTokens)} tokens`}
      >
        <Sparkline colour="ok" values={lines(({ cost }) => cost)} />
      </Tile>
    </dl>
  );
}

function Tile(props: {
  readonly name: string;
  readonly href: string;
  readonly value: string;
  readonly hint: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="tile panel">
      <dt>
        <a href={props.href}>{props.name}</a>
      </dt>
      <dd>
        <strong>{props.value}</strong> <span className="small muted">{props.hint}</span>
        {props.children}
      </dd>
    </div>
  );
}

function Waiting(): ReactNode {
  const { data } = useRead("approvals");
  const waiting = data?.approvals ?? [];
  return (
    <Panel title="Waiting for approval">
      {waiting.length === 0 ? (
        <p className="muted">Nothing waits.</p>
      ) : (
        <ul className="list">
          {waiting.slice(0, 5).map(({ id, askedAt, question }) => (
            <li key={id}>
              <a className="item" href={linkTo("approvals", id)}>
                <span className="row spread">
                  <strong className="clip">{question.heading}</strong>
                  <span className="small muted">{agoOf(askedAt)}</span>
                </span>
                <span className="small muted clip">{question.reason}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function LastFailures(): ReactNode {
  const { data } = useRead("calls", { outcome: "failed_not_denied", limit: 5, all: true });
  const failed = data?.calls ?? [];
  return (
    <Panel title="Last failures" actions={<a href={`${linkTo("calls")}?show=failed&folders=every`}>All</a>}>
      {data === undefined ? (
        <Loading what="failures" />
      ) : failed.length === 0 ? (
        // The journal is searched in parts: an answer may be of its newest part only.
        <p className="muted">{data.isPartial ? "No recent call failed." : "None failed."}</p>
      ) : (
        <ul className="list">
          {failed.map((call) => (
            <li key={callKey(call)}>
              <a className="item" href={linkTo("calls", callKey(call))}>
                <span className="row spread">
                  <span>
                    <strong>{call.name}</strong> <span className="small muted">{agoOf(call.receivedAt)}</span>
                  </span>
                  <Outcome call={call} />
                </span>
                <span className="small muted clip">{call.message ?? call.summary}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function LastSessions(): ReactNode {
  const { data } = useRead("sessions");
  const sessions = data?.sessions.slice(0, 5) ?? [];
  return (
    <Panel title="Last sessions" actions={<a href={linkTo("sessions")}>All</a>}>
      {sessions.length === 0 ? (
        <Empty title="No sessions yet">
          <IfPage page="chat">
            Start a <a href={linkTo("chat")}>chat</a>.
          </IfPage>
        </Empty>
      ) : (
        <ul className="list">
          {sessions.map(({ id, title, agent, updatedAt, turns }) => (
            <li key={id}>
              <a className="item" href={linkTo("sessions", id)}>
                <strong className="clip">{title === "" ? "Untitled" : title}</strong>
                <span className="small muted">
                  {agent.name} · {turns} turns · {agoOf(updatedAt)}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
