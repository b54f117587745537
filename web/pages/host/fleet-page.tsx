import type { ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import { agoOf, countOf, plural, timeOf } from "../../ui/values/format.ts";
import { Badge, type Tone } from "../../ui/values/badge.tsx";
import { DataTable, type Column } from "../../ui/layout/data-table.tsx";
import { Empty, Failed, Loading } from "../../ui/layout/states.tsx";
import { Facts, PageHead, Panel } from "../../ui/layout/panel.tsx";
import { linkTo } from "../../ui/address/hooks.ts";
import { type Fleet, type Worker, Drain, type DeadLetter, Retry, Dismiss } from "./fleet-actions.tsx";

type Queue = Fleet["queues"][number];

const TONES: Readonly<Record<Worker["state"], Tone>> = { ready: "ok", full: "info", draining: "warn" };

const WORKERS: readonly Column<Worker>[] = [
  {
    title: "Worker",
    width: "minmax(6rem, 2fr)",
    render: ({ id, host, pid }) => (
      <>
        <code>{id}</code> <span className="small muted">{`${host}, process ${pid}`}</span>
      </>
    ),
    sortBy: ({ id }) => id,
  },
  {
    title: "State",
    width: "5.5rem",
    render: ({ state, running, concurrency }) => (
      <>
        <Badge tone={TONES[state]}>{state}</Badge>{" "}
        <span className="small">{`${running} of ${concurrency}`}</span>
      </>
    ),
    sortBy: ({ running, concurrency }) => running / concurrency,
  },
  {
    title: "Pool",
    width: "minmax(5rem, 1fr)",
    render: ({ pool, labels }) => [pool, ...labels].join(", "),
    sortBy: ({ pool }) => pool,
    isWide: true,
  },
  {
    title: "Tools",
    width: "minmax(5rem, 1fr)",
    render: ({ tools }) => <span title={tools.join(", ")}>{plural(tools.length, "tool")}</span>,
    isWide: true,
  },
  { title: "Started", width: "7rem", render: ({ startedAt }) => agoOf(startedAt), isWide: true },
  { title: "Action", width: "5rem", render: (worker) => <Drain worker={worker} /> },
];

const QUEUES: readonly Column<Queue>[] = [
  {
    title: "Queue",
    width: "minmax(6rem, 1fr)",
    render: ({ pool, lane }) => `${pool}.${lane}`,
    sortBy: ({ pool, lane }) => `${pool}.${lane}`,
  },
  {
    title: "Waiting",
    width: "5rem",
    render: ({ waiting }) => countOf(waiting),
    sortBy: ({ waiting }) => waiting,
    isNumber: true,
  },
  {
    title: "Running",
    width: "5rem",
    render: ({ running }) => countOf(running),
    sortBy: ({ running }) => running,
    isNumber: true,
  },
  {
    title: "Redelivered",
    isWide: true,
    width: "7rem",
    render: ({ redelivered }) => countOf(redelivered),
    sortBy: ({ redelivered }) => redelivered,
    isNumber: true,
  },
];

const DEAD: readonly Column<DeadLetter>[] = [
  {
    title: "Call",
    width: "minmax(6rem, 2fr)",
    render: ({ tool, callId, summary }) => (
      <>
        <strong>{tool ?? "unknown"}</strong> <code className="clip">{summary}</code>{" "}
        {callId !== null && <a href={linkTo("calls", callId)}>the call</a>}
      </>
    ),
  },
  {
    title: "Reason",
    width: "minmax(7rem, 3fr)",
    render: ({ reason, key }) => (
      <>
        {reason} <code className="small muted">{key}</code>
      </>
    ),
  },
  { title: "Time", width: "8rem", render: ({ at }) => timeOf(at), isWide: true },
  {
    title: "Action",
    width: "9rem",
    render: (letter) => (
      <span className="row">
        <Retry letter={letter} /> <Dismiss letter={letter} />
      </span>
    ),
  },
];

/** As many as the server lists. */
const SHOWN_DEAD = 100;

/** The workers, queues and dead letters of the fleet. */
export function FleetPage(): ReactNode {
  const { data, error, refetch } = useRead("fleet", {}, { everyMs: 3000 });
  const head = (
    <PageHead title="Fleet" about="Workers that run calls on other machines, and what waits for them." />
  );
  if (error !== null)
    return (
      <div className="page">
        {head}
        <Failed error={error} retry={refetch} />
      </div>
    );
  if (data === undefined) return <Loading what="the fleet" />;
  const { workers, queues, dead } = data;
  return (
    <div className="page">
      {head}
      {data.isConfigured ? (
        <>
          <Panel>
            <Facts of={{ Servers: data.servers.join(", "), Namespace: data.namespace }} />
          </Panel>
          <Panel title="Workers" actions={<Badge>{countOf(workers.length)}</Badge>}>
            {workers.length === 0 ? (
              <p>
                None is running. Start one with <code>toolwright worker</code>.
              </p>
            ) : (
              <DataTable label="Workers" rows={workers} columns={WORKERS} idOf={({ id }) => id} wraps />
            )}
          </Panel>
          {data.lost.length > 0 && (
            <Panel
              title="Lost in the last ten minutes"
              actions={<Badge tone="bad">{countOf(data.lost.length)}</Badge>}
            >
              <ul className="list">
                {data.lost.map(({ id, host, pid, pool, running, lostAt }) => (
                  <li key={id} className="item-row">
                    <code>{id}</code> on {host}, process {pid}, pool {pool}: lost {agoOf(lostAt)}
                    {running > 0 && `, while it ran ${plural(running, "call")}`}
                  </li>
                ))}
              </ul>
            </Panel>
          )}
          {queues.length > 0 && (
            <Panel title="Queues">
              <DataTable
                label="Queues"
                rows={queues}
                columns={QUEUES}
                idOf={({ pool, lane }) => `${pool}.${lane}`}
                wraps
              />
            </Panel>
          )}
          <Panel title="Dead letters" actions={<Badge>{countOf(dead.length)}</Badge>}>
            {dead.length === 0 ? (
              <p className="muted">None: every call has an answer, or waits for one.</p>
            ) : (
              <>
                <DataTable label="Dead letters" rows={dead} columns={DEAD} idOf={({ key }) => key} wraps />
                {dead.length >= SHOWN_DEAD && (
                  <p className="small muted">The newest {countOf(dead.length)}; there may be more.</p>
                )}
              </>
            )}
          </Panel>
        </>
      ) : (
        <Empty title="No fleet">
          Calls run on this machine. To run them on others, set <code>fleet.servers</code>: docs/fleet.md says
          how.
        </Empty>
      )}
    </div>
  );
}
