import type { ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import { agoOf, onOneLine, plural } from "../../ui/values/format.ts";
import { Empty, Failed, Loading } from "../../ui/layout/states.tsx";
import { goTo, linkTo, useKeys, useNow } from "../../ui/address/hooks.ts";
import { PageHead } from "../../ui/layout/panel.tsx";
import { RiskBadge } from "../../ui/values/call-bits.tsx";
import { IfPage } from "../../ui/controls/needs.tsx";
import type { Pending } from "./card/pending.ts";
import { ApprovalCard } from "./card/approval-card.tsx";
import { NoticeChoices } from "./notices.tsx";
import { neighbour, useShown, type Shown } from "./use-shown.ts";

/** The calls that wait for approval, of every process, and the one that is being decided. */
export function ApprovalsPage({ id }: { readonly id: string | undefined }): ReactNode {
  const { data, error, refetch } = useRead("approvals");
  const waiting = data?.approvals ?? [];
  const shownApproval = useShown(waiting, id);
  const move = (steps: 1 | -1): void => {
    const next = neighbour(waiting, shownApproval?.pending, steps);
    if (next !== undefined) goTo("approvals", next.id);
  };
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="approvals" />;
  return (
    <div className="page">
      <PageHead
        title="Approvals"
        about="Calls that wait for a decision. The first answer counts, wherever it is given."
      >
        <NoticeChoices />
      </PageHead>
      {shownApproval === undefined && waiting.length === 0 ? (
        <Empty title={id === undefined ? "Nothing waits for approval" : "This call no longer waits"}>
          Calls that policy does not allow by itself appear here.{" "}
          <IfPage page="policy">
            <a href={linkTo("policy")}>See what it allows</a>
          </IfPage>
        </Empty>
      ) : (
        <div className="split approvals">
          <ApprovalList waiting={waiting} current={shownApproval?.pending.id} />
          <Current shown={shownApproval} waiting={waiting} next={() => move(1)} />
        </div>
      )}
    </div>
  );
}

interface CurrentProps {
  readonly shown: Shown<Pending> | undefined;
  readonly waiting: readonly Pending[];
  readonly next: () => void;
}

function Current({ shown, waiting, next }: CurrentProps): ReactNode {
  const others = waiting.filter((one) => one.id !== shown?.pending.id).length;
  return (
    <div className="stack">
      {shown === undefined ? (
        <Empty title="This call no longer waits">It was answered, or its caller left.</Empty>
      ) : (
        <ApprovalCard key={shown.pending.id} {...shown} hasKeys />
      )}
      {others > 0 && (
        <div className="row">
          <button type="button" className="button" onClick={next}>
            Next of {plural(others, "other waiting call")} <kbd>j</kbd>
          </button>
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
  readonly current: string | undefined;
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
              aria-current={pending.id === props.current}
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
