import type { ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { useRead } from "../../api/queries.ts";
import { agoOf, costOf, durationOf, plural, shortCountOf } from "../../ui/values/format.ts";
import { Badge } from "../../ui/values/badge.tsx";
import { DataTable, type Column } from "../../ui/layout/data-table.tsx";
import { Empty, Failed, Loading } from "../../ui/layout/states.tsx";
import { goTo, linkTo, useNow } from "../../ui/address/hooks.ts";
import { IfPage } from "../../ui/controls/needs.tsx";
import { PageHead } from "../../ui/layout/panel.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";

type Agent = AnswerOf<"agents">["agents"][number];
/** An agent, and how many are above it. */
type Row = Agent & { readonly depth: number };

const WORKING = new Set(["waiting_for_model", "executing_tools", "waiting_for_approval"]);

/** The agents as a tree, each below the one that started it, with what they did and what it cost. */
export function AgentsPage(): ReactNode {
  const { data, error, refetch } = useRead("agents");
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="agents" />;
  const rows = withDepth(data.agents);
  return (
    <div className="page">
      <PageHead title="Agents" about="Who works, for whom, on what, and what it cost." />
      {rows.length === 0 ? (
        <Empty title="No agents yet">
          <IfPage page="chat">
            Agents appear here when a <a href={linkTo("chat")}>chat</a> or a task starts them.
          </IfPage>
        </Empty>
      ) : (
        <>
          <Summary agents={data.agents} />
          <DataTable
            label="Agents"
            rows={rows}
            columns={COLUMNS}
            idOf={({ id }) => id}
            open={({ session }) => goTo("sessions", session)}
            renderNarrow={(agent) => <NarrowAgent agent={agent} />}
          />
        </>
      )}
    </div>
  );
}

function Summary({ agents }: { readonly agents: readonly Agent[] }): ReactNode {
  const working = agents.filter(({ state }) => WORKING.has(state)).length;
  const waiting = agents.filter(({ state }) => state === "waiting_for_approval").length;
  const sum = (valueOf: (figures: NonNullable<Agent["figures"]>) => number): number =>
    agents.reduce((total, { figures }) => total + (figures === null ? 0 : valueOf(figures)), 0);
  const tokens = sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens);
  return (
    <ul className="legend" aria-label="All agents">
      <li>
        <b>{plural(agents.length, "agent")}</b>, {working} working
        {waiting > 0 && <>, {waiting} waiting for you</>}
      </li>
      <li>
        <b>
          {plural(
            sum(({ calls }) => calls),
            "call",
          )}
        </b>
        , {sum(({ failed }) => failed)} failed or denied
      </li>
      <li>
        <b>{shortCountOf(tokens)}</b> tokens, <b>{costOf(sum(({ cost }) => cost))}</b>
      </li>
    </ul>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: "Agent",
    width: "minmax(9rem, 14rem)",
    render: ({ name, session, depth, isHere }) => (
      <span className="branch" style={{ paddingLeft: `${depth * 1.25}rem` }}>
        {depth > 0 && <i aria-hidden="true" />}
        <a href={linkTo("sessions", session)}>{name}</a> {isHere && <Badge tone="info">here</Badge>}
      </span>
    ),
  },
  {
    title: "Task",
    width: "minmax(8rem, 1fr)",
    render: ({ task, result }) => <span title={result ?? task ?? undefined}>{task ?? "–"}</span>,
  },
  { title: "State", width: "9rem", render: ({ state }) => <StateBadge state={state} /> },
  figure("Turns", "3.5rem", ({ turns }) => String(turns)),
  figure("Calls", "3.5rem", ({ figures }) => (figures === null ? "–" : String(figures.calls))),
  figure("Failed", "3.5rem", ({ figures }) => (figures === null ? "–" : String(figures.failed))),
  figure("Tokens", "4.5rem", ({ figures }) =>
    figures === null ? "–" : shortCountOf(figures.inputTokens + figures.outputTokens),
  ),
  figure("Cost", "4.5rem", ({ figures }) => (figures === null ? "–" : costOf(figures.cost))),
  figure("Worked", "5rem", (agent) => <Worked agent={agent} />),
  figure("Last", "6rem", ({ updatedAt }) => (updatedAt === null ? "–" : agoOf(updatedAt))),
];

function figure(title: string, width: string, render: (agent: Row) => ReactNode): Column<Row> {
  return { title, width, render, isNumber: true, isWide: true };
}

/** From its first message to its last one, or to now. */
function Worked({ agent: { createdAt, updatedAt, state } }: { readonly agent: Agent }): ReactNode {
  const isWorking = WORKING.has(state);
  const now = useNow(1000, { isNeeded: isWorking });
  if (createdAt === null || updatedAt === null) return "–";
  return durationOf(Math.max(0, (isWorking ? now : updatedAt) - createdAt));
}

function NarrowAgent({ agent }: { readonly agent: Row }): ReactNode {
  const { name, session, depth, state, task, figures } = agent;
  return (
    <div className="narrow-row" style={{ paddingLeft: `${depth}rem` }}>
      <span className="row spread one-line">
        <a className="clip" href={linkTo("sessions", session)}>
          {name}
        </a>
        <StateBadge state={state} />
      </span>
      <span className="row spread one-line small muted">
        <span className="clip">{task}</span>
        <span className="figures">
          {figures !== null && `${plural(figures.calls, "call")} · ${costOf(figures.cost)} · `}
          <Worked agent={agent} />
        </span>
      </span>
    </div>
  );
}

/** Returns the agents, which are in the order of the tree, with their depth in it. */
function withDepth(agents: readonly Agent[]): readonly Row[] {
  const depths = new Map<string, number>();
  return agents.map((agent) => {
    const above = agent.parentId === null ? undefined : depths.get(agent.parentId);
    const depth = above === undefined ? 0 : above + 1;
    depths.set(agent.id, depth);
    return { ...agent, depth };
  });
}
