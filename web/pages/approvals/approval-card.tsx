import { useState, type ReactNode } from "react";
import type { AnswerOf, BodyOf } from "../../../src/app/http/api.ts";
import { pathOf, RequestError, send } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { Badge, Code, Facts, Json } from "../../ui/bits.tsx";
import { describeRule, RiskBadge, TouchedList } from "../../ui/call-bits.tsx";
import { DiffView } from "../../ui/diff.tsx";
import { parseObject, prettyJson } from "../../ui/format.ts";
import { linkTo, useKeys } from "../../ui/hooks.ts";
import { MayNot, useMay } from "../../ui/needs.tsx";

export type Pending = AnswerOf<"approvals">["approvals"][number];
type Decision = BodyOf<"decide">;
type Scope = Pending["scopes"][number];

/** One call that waits: what it would do, and the answer to it. */
export function ApprovalCard(props: { readonly pending: Pending; readonly hasKeys?: boolean }): ReactNode {
  const { pending } = props;
  const { request } = pending;
  const mayApprove = useMay("approve");
  const decide = useChange(
    (decision: Decision) => send("decide", "POST", pathOf("approvals", pending.id), decision),
    ["approvals", "state", "call", "grants"],
  );
  return (
    <article className="panel padded approval" aria-label={`${request.tool} waits for approval`}>
      <header className="row spread">
        <h2>{request.question === undefined ? `${request.tool} wants to run` : `${request.tool} asks`}</h2>
        <div className="row">
          <RiskBadge risk={request.risk} />
          <a href={linkTo("calls", request.callId)}>the call</a>
        </div>
      </header>
      <p>{request.reason}</p>
      <View pending={pending} />
      <Facts of={{ Touches: <TouchedList facts={request.facts} /> }} />
      {request.calls !== undefined && request.calls.length > 0 && <Inner calls={request.calls} />}
      <Answer
        pending={pending}
        decide={decide.mutate}
        isOff={decide.isPending || !mayApprove}
        hasKeys={props.hasKeys === true && mayApprove}
      />
      {decide.error !== null && <Refused error={decide.error} />}
    </article>
  );
}

/** What the call would do: a diff, a command, a question or its input. */
function View({ pending: { view, request } }: { readonly pending: Pending }): ReactNode {
  if (view.kind === "diff")
    return (
      <>
        <DiffView text={view.diff} label="What would change" />
        <details>
          <summary className="small muted">Input</summary>
          <Json value={request.input} label="Input" />
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
    return (
      <>
        <p className="large">{view.text}</p>
        {view.details !== null && <Json value={view.details} label="Details of the question" />}
      </>
    );
  return <Json value={request.input} label="Input" />;
}

function Inner({ calls }: { readonly calls: NonNullable<Pending["request"]["calls"]> }): ReactNode {
  const decided = (call: (typeof calls)[number]): string => {
    if (call.decision !== "ask") return call.decision === "allow" ? "runs anyway" : "is denied";
    return call.isAskedAgain === true ? "gets a question of its own" : "is approved with this answer";
  };
  return (
    <div className="stack">
      <h3>Calls that it would make</h3>
      <ol className="list">
        {calls.map((call, index) => (
          // oxlint-disable-next-line no-array-index-key -- the calls of one request do not change
          <li key={index} className="item">
            <span>
              <strong>{call.tool}</strong> {decided(call)}: {call.reason}
            </span>
            <TouchedList facts={call.facts} />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface AnswerProps {
  readonly pending: Pending;
  readonly decide: (decision: Decision) => void;
  readonly isOff: boolean;
  readonly hasKeys: boolean;
}

function Answer({ pending, decide, isOff, hasKeys }: AnswerProps): ReactNode {
  const { request, scopes } = pending;
  const [edited, setEdited] = useState<string>();
  const [reason, setReason] = useState<string>();
  const [save, setSave] = useState<Scope | number>("once");
  const input = edited === undefined ? undefined : parseObject(edited);
  const approve = (): void => {
    if (edited !== undefined && input === undefined) return;
    decide({
      decision: "approve",
      ...(typeof save === "number" ? { offer: save } : { scope: save }),
      ...(input !== undefined && { input }),
    });
  };
  const deny = (): void => {
    if (reason === undefined) setReason("");
    else decide({ decision: "deny", ...(reason !== "" && { reason }) });
  };
  const edit = (): void => setEdited(edited === undefined ? prettyJson(request.input) : undefined);
  useKeys(hasKeys ? { a: approve, d: deny, e: edit } : {});
  return (
    <div className="stack">
      {edited !== undefined && (
        <label className="field">
          <span>Input to run instead</span>
          <textarea
            className="code"
            rows={Math.min(16, edited.split("\n").length + 1)}
            value={edited}
            onChange={({ target }) => setEdited(target.value)}
            aria-invalid={input === undefined}
          />
          {input === undefined && <span className="bad-text">This is not a JSON object.</span>}
        </label>
      )}
      <MayNot right="approve" />
      <ScopeChoice pending={pending} scopes={scopes} save={save} setSave={setSave} />
      {reason !== undefined && (
        <label className="field">
          <span>Reason for the caller (may stay empty)</span>
          <input
            autoFocus
            value={reason}
            onChange={({ target }) => setReason(target.value)}
            onKeyDown={({ key }) => {
              if (key === "Enter") deny();
              if (key === "Escape") setReason(undefined);
            }}
          />
        </label>
      )}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={isOff || (edited !== undefined && input === undefined)}
          onClick={approve}
        >
          {edited === undefined ? "Approve" : "Approve the edited input"} {hasKeys && <kbd>a</kbd>}
        </button>
        <button type="button" className="button danger" disabled={isOff} onClick={deny}>
          {reason === undefined ? "Deny…" : "Deny"} {hasKeys && <kbd>d</kbd>}
        </button>
        {request.question === undefined && (
          <button type="button" className="button" onClick={edit}>
            {edited === undefined ? "Edit input" : "Discard the edit"} {hasKeys && <kbd>e</kbd>}
          </button>
        )}
      </div>
    </div>
  );
}

/** How long the approval lasts, and the rule that it would save. */
function ScopeChoice(props: {
  readonly pending: Pending;
  readonly scopes: readonly Scope[];
  readonly save: Scope | number;
  readonly setSave: (save: Scope | number) => void;
}): ReactNode {
  const { request } = props.pending;
  const offers = request.offers ?? [];
  if (props.scopes.length < 2 && offers.length === 0)
    return request.ungrantable === undefined ? null : (
      <p className="small muted">Only once: {request.ungrantable}</p>
    );
  const rule = request.grant === undefined ? "exactly this call" : describeRule(request.grant);
  const text = { once: "Once", session: `For this session: ${rule}`, always: `Always: ${rule}` };
  const choices: readonly (readonly [Scope | number, string, string | undefined])[] = [
    ...props.scopes.map((scope) => [scope, text[scope], undefined] as const),
    ...offers.map(
      ({ scope, label, warning }, index) =>
        [index, `${scope === "always" ? "Always" : "For this session"}: ${label}`, warning] as const,
    ),
  ];
  return (
    <fieldset className="scopes">
      <legend>Allow</legend>
      {choices.map(([value, label, warning]) => (
        <label key={String(value)}>
          <input
            type="radio"
            name={`scope-${props.pending.id}`}
            checked={props.save === value}
            onChange={() => props.setSave(value)}
          />
          <span>
            {label} {warning !== undefined && <Badge tone="warn">{warning}</Badge>}
          </span>
        </label>
      ))}
    </fieldset>
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
