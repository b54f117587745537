import type { ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import { Badge } from "../../ui/values/badge.tsx";
import { Code, Json } from "../../ui/values/code.tsx";
import { durationOf, shortId, timeOf } from "../../ui/values/format.ts";
import { Facts, Panel } from "../../ui/layout/panel.tsx";
import { Failed, Loading } from "../../ui/layout/states.tsx";
import { linkTo } from "../../ui/address/hooks.ts";
import { PhaseBar, Waterfall } from "../../ui/charts/waterfall.tsx";
import { RiskBadge, Took, TouchedList, VerdictBadge, type CallDetail } from "../../ui/values/call-bits.tsx";
import { ArtifactViewer } from "./answer/artifact-viewer.tsx";
import { CallHead } from "./call-head.tsx";
import { CallList, Compare, Events, spansOf } from "./call-parts.tsx";
import { Progress } from "./answer/progress.tsx";
import { ResultView } from "./answer/result-view.tsx";
import { callKey, readCallKey } from "../../../src/util/text/call-key.ts";

/** One call whole, live while it runs. */
export function CallPage({ id }: { readonly id: string }): ReactNode {
  const { callId = id, receivedAt: at } = readCallKey(id) ?? {};
  const { data, error, refetch } = useRead("call", { callId, ...(at !== undefined && { at }) });
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="the call" />;
  return (
    <div className="page">
      <CallHead detail={data} level={1} />
      {data.phases.length > 0 && <PhaseBar phases={data.phases} isFailed={data.call.outcome !== "ok"} />}
      <div className="columns call-columns">
        <div className="stack">
          <CallTexts detail={data} />
        </div>
        <div className="stack">
          <CallFacts detail={data} />
        </div>
      </div>
    </div>
  );
}

/** What went into a call and what came out of it. */
export function CallTexts({ detail }: { readonly detail: CallDetail }): ReactNode {
  return (
    <>
      <Input detail={detail} />
      <Progress progress={detail.progress} isOpen={detail.call.state === "open"} />
      {detail.result !== null && <ResultView result={detail.result} />}
      {detail.artifactId !== null && <ArtifactViewer id={detail.artifactId} call={detail.call.callId} />}
      {detail.calls.length > 0 && (
        <Panel title="Calls that it made, over time">
          <Waterfall spans={spansOf(detail)} label="The call and those that it made" />
        </Panel>
      )}
    </>
  );
}

/** How a call was decided and run, and other calls like it. */
export function CallFacts({ detail }: { readonly detail: CallDetail }): ReactNode {
  return (
    <>
      <Decision detail={detail} />
      <Execution detail={detail} />
      <CallList title="Other calls with this id" calls={detail.others} />
      <Compare id={callKey(detail.call)} detail={detail} />
      <Events detail={detail} />
    </>
  );
}

function Input({ detail: { input, coerced, result } }: { readonly detail: CallDetail }): ReactNode {
  const paths = result?.meta.coerced ?? [];
  return (
    <Panel title="Input">
      {typeof input === "string" ? <Code label="Input">{input}</Code> : <Json value={input} label="Input" />}
      {coerced !== null && (
        <>
          <h3>Coerced to fit the schema</h3>
          <Json value={coerced} label="Coerced input" />
        </>
      )}
      {paths.length > 0 && <p className="small muted">Values that were converted: {paths.join(", ")}</p>}
    </Panel>
  );
}

function Decision({ detail }: { readonly detail: CallDetail }): ReactNode {
  const { verdict, risk, touches, approval, call } = detail;
  return (
    <Panel title="Decision">
      <div className="row">
        {verdict === null ? (
          <Badge>Not judged{call.isHere ? "" : " in this process"}</Badge>
        ) : (
          <VerdictBadge kind={verdict.kind} />
        )}
        <RiskBadge risk={verdict?.risk ?? risk} />
      </div>
      <Facts
        of={{
          Reason: verdict?.reason,
          Rule: verdict !== null && <code>{verdict.rule}</code>,
          "What to do": verdict?.hint,
          Approval: approval !== null && <ApprovalLine approval={approval} />,
          Touches: <TouchedList touches={touches} />,
        }}
      />
    </Panel>
  );
}

function ApprovalLine({ approval }: { readonly approval: NonNullable<CallDetail["approval"]> }): ReactNode {
  const { approved, askedAt, answeredAt, scope, reason, by } = approval;
  if (approved === null)
    return (
      <>
        waits since {timeOf(askedAt)}: <a href={linkTo("approvals")}>decide</a>
      </>
    );
  const after = answeredAt === null ? "" : ` after ${durationOf(answeredAt - askedAt)}`;
  const who = by === undefined ? "" : ` by ${by}`;
  const details = [scope === undefined ? "" : ` (${scope})`, reason === undefined ? "" : `: ${reason}`].join(
    "",
  );
  return <>{`${approved ? "approved" : "denied"}${who}${after}${details}`}</>;
}

function Execution({
  detail: { call, place, attempts, result },
}: {
  readonly detail: CallDetail;
}): ReactNode {
  const { startedAt, receivedAt } = call;
  const session = call.session;
  return (
    <Panel title="Execution">
      <Facts
        of={{
          Place: place ?? call.place,
          Attempts: attempts === 0 ? undefined : String(attempts),
          Received: timeOf(receivedAt),
          Started:
            startedAt === null
              ? undefined
              : `${timeOf(startedAt)} (after ${durationOf(startedAt - receivedAt)})`,
          Took: <Took call={call} />,
          Source: result?.meta.source,
          Session: session !== null && (
            <a href={linkTo("sessions", session)} title={session}>
              {shortId(session)}
            </a>
          ),
          "Made by": call.parentId !== null && (
            <a href={linkTo("calls", call.parentId)} title={call.parentId}>
              {shortId(call.parentId)}
            </a>
          ),
        }}
      />
    </Panel>
  );
}
