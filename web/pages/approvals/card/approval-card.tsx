import { useState, type ReactNode } from "react";
import { api, RequestError } from "../../../api/client.ts";
import { useChange, useRead } from "../../../api/queries.ts";
import { Code } from "../../../ui/values/code.tsx";
import { DiffView } from "../../../ui/values/diff.tsx";
import { Facts } from "../../../ui/layout/panel.tsx";
import { linkTo, useArmed } from "../../../ui/address/hooks.ts";
import { MayNot, Needs } from "../../../ui/controls/needs.tsx";
import { RiskBadge, TouchedList } from "../../../ui/values/call-bits.tsx";
import { Answer } from "./approval-answer.tsx";
import { Answered, type Undo } from "./answered.tsx";
import { useAskedCall } from "./asked-call.ts";
import type { Decision, Pending, Question } from "./pending.ts";

interface CardProps {
  readonly pending: Pending;
  readonly hasKeys?: boolean;
  /** Default: true. */
  readonly isWaiting?: boolean;
}

/**
 * One call that waits: what it would do, and the answer to it. The first half second nothing can be answered, so that a click or a key
 * that was meant for what was there before decides nothing.
 */
export function ApprovalCard({ pending, hasKeys = false, isWaiting = true }: CardProps): ReactNode {
  const { request, question } = pending;
  const isArmed = useArmed();
  const { before, undo } = useUndo(pending);
  const decide = useChange(
    (decision: Decision) => {
      before();
      return api.decide({ id: pending.id }, decision);
    },
    ["approvals", "state", "call", "grants"],
  );
  const isAnswered = decide.data !== undefined || !isWaiting;
  const answeredCall = useAskedCall(pending, { isEnabled: isAnswered });
  return (
    <article
      className="panel padded approval"
      aria-label={isAnswered ? `${request.tool} was answered` : `${request.tool} waits for approval`}
    >
      <header className="row spread">
        <h2>{question.heading}</h2>
        <div className="row">
          <span className="small muted">{request.tool}</span>
          <RiskBadge risk={question.risk} />
          <a href={linkTo("calls", request.callId)}>the call</a>
        </div>
      </header>
      <p className={question.view.kind === "question" ? "large" : ""}>{question.reason}</p>
      {question.view.kind !== "command" && <In folder={question.folder} />}
      <View question={question} />
      <Facts of={{ Touches: <TouchedList touches={question.touches} /> }} />
      {question.inner.length > 0 && <Inner calls={question.inner} />}
      {isAnswered ? (
        <Answered approval={decide.data?.approval} {...answeredCall} undo={undo} />
      ) : (
        <>
          <MayNot right="approve" />
          <Needs right="approve">
            <Answer
              pending={pending}
              decide={decide.mutate}
              isOff={!isArmed || decide.isPending}
              hasKeys={hasKeys && isArmed && !decide.isPending}
            />
          </Needs>
        </>
      )}
      {decide.error !== null && <Refused error={decide.error} />}
    </article>
  );
}

/** The folder to which paths are relative, if there are any. */
function In({ folder }: { readonly folder: string | undefined }): ReactNode {
  if (folder === undefined) return null;
  return (
    <p className="small muted">
      in <code>{folder}</code>
    </p>
  );
}

/** Returns what an answer saved: the grants of the tool that did not exist when `before` was called. */
function useUndo({ request }: Pending): { readonly before: () => void; readonly undo: Undo } {
  const [known, setKnown] = useState<ReadonlySet<string>>();
  const options = known === undefined ? {} : { everyMs: 1000 };
  const grants = useRead("grants", {}, options).data?.grants ?? [];
  const revoke = useChange((id: string) => api.revokeGrant({ id }), ["grants", "policy"]);
  const saved = grants.filter(
    ({ id, tool, adds }) => known?.has(id) === false && (tool === request.tool || adds !== undefined),
  );
  return { before: () => setKnown(new Set(grants.map(({ id }) => id))), undo: { saved, revoke } };
}

/** What the call would do: a diff, a command, the details of a question or its input. */
function View({ question: { view, input } }: { readonly question: Question }): ReactNode {
  if (view.kind === "diff")
    return (
      <>
        <DiffView text={view.diff} label="What would change" />
        <details>
          <summary className="small muted">Input</summary>
          <Code label="Input">{input}</Code>
        </details>
      </>
    );
  if (view.kind === "command")
    return (
      <>
        <Code label="Command">{view.command}</Code>
        <p className="small muted">
          in <code>{view.folder}</code>
          {view.programs.length > 0 && ` · ${view.programs.join("; ")}`}
        </p>
      </>
    );
  if (view.kind === "question")
    return view.details === null ? null : <Code label="Details of the question">{view.details}</Code>;
  return <Code label="Input">{input}</Code>;
}

function Inner({ calls }: { readonly calls: Question["inner"] }): ReactNode {
  return (
    <div className="stack">
      <h3>Calls that it would make</h3>
      <ol className="list">
        {calls.map((call, index) => (
          // oxlint-disable-next-line no-array-index-key -- the calls of one request do not change
          <li key={index} className="item">
            <span>
              <strong>{call.tool}</strong> {call.decided}: {call.reason}
            </span>
            <TouchedList touches={call.touches} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Refused({ error }: { readonly error: Error }): ReactNode {
  const isElsewhere = error instanceof RequestError && error.status === 409;
  return (
    <p className="bad-text" role="alert">
      {isElsewhere ? "It was answered elsewhere." : error.message}
    </p>
  );
}
