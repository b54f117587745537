import { useEffect, useRef, type ReactNode } from "react";
import { api, RequestError } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { Action } from "../../ui/controls/action.tsx";
import { Failed, Loading } from "../../ui/layout/states.tsx";
import { linkTo } from "../../ui/address/hooks.ts";
import { Outcome, Took } from "../../ui/values/call-bits.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ApprovalCard } from "../approvals/card/approval-card.tsx";
import { Progress } from "../call/answer/progress.tsx";
import { ResultView } from "../call/answer/result-view.tsx";

/** A call that this page started: its approval, its output as it arrives, and its result. */
export function LiveCall({ id }: { readonly id: string }): ReactNode {
  const top = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useRead("call", { callId: id });
  const isThere = data !== undefined;
  // It is below the form: without this, a run would change nothing that the person sees.
  useEffect(() => {
    if (isThere) top.current?.scrollIntoView({ block: "nearest" });
  }, [isThere]);
  const approvals = useRead("approvals");
  const cancel = useChange(() => api.cancelCall({ callId: id }), ["call"]);
  if (error instanceof RequestError && error.status !== 404) return <Failed error={error} retry={refetch} />;
  if (data === undefined)
    return (
      <div className="stack">
        <Loading what="the call" />
      </div>
    );
  const { call } = data;
  const pending = approvals.data?.approvals.find(({ request }) => request.callId === id);
  const isOpen = call.state === "open";
  return (
    <div className="stack" ref={top}>
      <Panel
        title={
          <span className="row">
            Run <Outcome call={call} />
          </span>
        }
        actions={
          <>
            <span className="muted">
              <Took call={call} />
            </span>
            <a href={linkTo("calls", id)}>the whole call</a>
            {isOpen && (
              <Action
                right="call"
                look="compact danger"
                change={cancel}
                onClick={() => cancel.mutate(undefined)}
              >
                Cancel
              </Action>
            )}
          </>
        }
      >
        {pending !== undefined && <p>It needs approval:</p>}
        {isOpen && pending === undefined && <p className="muted">Output appears below as it arrives.</p>}
      </Panel>
      {pending !== undefined && <ApprovalCard key={pending.id} pending={pending} />}
      <Progress progress={data.progress} isOpen={isOpen && data.progress.length > 0} />
      {data.result !== null && <ResultView result={data.result} />}
    </div>
  );
}
