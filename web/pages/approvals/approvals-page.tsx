import { useState, type ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import {
  agoOf,
  Empty,
  Failed,
  linkTo,
  Loading,
  onOneLine,
  PageHead,
  RiskBadge,
  useKeys,
  useNow,
} from "../../ui/index.ts";
import { ApprovalCard, type Pending } from "./approval-card.tsx";

/** The calls that wait for approval, of every process, and the one that is being decided. */
export function ApprovalsPage({ id }: { readonly id: string | undefined }): ReactNode {
  const { data, error, refetch } = useRead("approvals");
  const [chosen, setChosen] = useState(id);
  const waiting = data?.approvals ?? [];
  const index = Math.max(
    0,
    waiting.findIndex((one) => one.id === chosen),
  );
  const current = waiting[index];
  const move = (by: number): void => setChosen(waiting[(index + by + waiting.length) % waiting.length]?.id);
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="approvals" />;
  return (
    <div className="page">
      <PageHead
        title="Approvals"
        about="Calls that wait for a decision. The first answer counts, wherever it is given."
      />
      {current === undefined ? (
        <Empty title="Nothing waits for approval">
          Calls that policy does not allow by itself appear here.{" "}
          <a href={linkTo("policy")}>See what it allows</a>
        </Empty>
      ) : (
        <div className="split approvals">
          <ApprovalList waiting={waiting} current={current} choose={setChosen} />
          <ApprovalCard key={current.id} pending={current} hasKeys />
        </div>
      )}
    </div>
  );
}

function commandOf({ question: { view } }: Pending): string | undefined {
  return view.kind === "command" ? view.command : undefined;
}

interface ApprovalListProps {
  readonly waiting: readonly Pending[];
  readonly current: Pending;
  readonly choose: (id: string) => void;
}

function ApprovalList(props: ApprovalListProps): ReactNode {
  useNow(5000);
  return (
    <nav className="panel scroll" aria-label="Waiting calls">
      <ul className="list">
        {props.waiting.map((pending) => (
          <li key={pending.id}>
            <a
              className="item"
              href={linkTo("approvals", pending.id)}
              aria-current={pending.id === props.current.id}
              onClick={(event) => {
                event.preventDefault();
                props.choose(pending.id);
              }}
            >
              <span className="row spread">
                <strong>{pending.request.tool}</strong> <RiskBadge risk={pending.request.risk} />
              </span>
              <span className="small mono clip">
                {onOneLine(commandOf(pending) ?? pending.request.input)}
              </span>
              <span className="small muted">{agoOf(pending.askedAt)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
