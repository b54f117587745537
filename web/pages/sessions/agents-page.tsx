import type { ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { useRead } from "../../api/queries.ts";
import { Badge, Empty, Failed, linkTo, Loading, PageHead, StateBadge } from "../../ui/index.ts";

type Agent = AnswerOf<"agents">["agents"][number];

/** The graph of agents: each below the one that started it. */
export function AgentsPage(): ReactNode {
  const { data, error, refetch } = useRead("agents");
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="agents" />;
  const ids = new Set(data.agents.map(({ id }) => id));
  const roots = data.agents.filter(({ parentId }) => parentId === null || !ids.has(parentId));
  return (
    <div className="page">
      <PageHead title="Agents" about="Who works, for whom, and on what." />
      {roots.length === 0 ? (
        <Empty title="No agents yet">
          Agents appear here when a <a href={linkTo("chat")}>chat</a> or a task starts them.
        </Empty>
      ) : (
        <ul className="tree" aria-label="Agents">
          {roots.map((agent) => (
            <Node key={agent.id} agent={agent} agents={data.agents} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Node({ agent, agents }: { readonly agent: Agent; readonly agents: readonly Agent[] }): ReactNode {
  const children = agents.filter(({ parentId }) => parentId === agent.id);
  return (
    <li>
      <div className="panel node">
        <span className="row spread">
          <a href={linkTo("sessions", agent.session)}>
            <strong>{agent.name}</strong>
          </a>
          <span className="row">
            {agent.isHere && <Badge tone="info">here</Badge>}
            <StateBadge state={agent.state} />
          </span>
        </span>
        {agent.task !== null && <p className="small">{agent.task}</p>}
        {agent.result !== null && <p className="small muted">{agent.result}</p>}
      </div>
      {children.length > 0 && (
        <ul>
          {children.map((child) => (
            <Node key={child.id} agent={child} agents={agents} />
          ))}
        </ul>
      )}
    </li>
  );
}
