import { useState, type ReactNode } from "react";
import type { AnswerOf, BodyOf } from "../../../src/app/http/api.ts";
import { api, RequestError } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import {
  Badge,
  Code,
  DiffView,
  editableJson,
  Facts,
  linkTo,
  MayNot,
  RiskBadge,
  TouchedList,
  useArmed,
  useKeys,
  useMay,
} from "../../ui/index.ts";
import { parseObject } from "../../api/json.ts";
import { Answered, type Undo } from "./answered.tsx";

/** A call that waits for approval, and the question about it. */
export type Pending = AnswerOf<"approvals">["approvals"][number];
type Question = Pending["question"];
type Decision = BodyOf<"decide">;

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
  const mayApprove = useMay("approve");
  const { before, undo } = useUndo(pending);
  const decide = useChange(
    (decision: Decision) => {
      before();
      return api.decide({ id: pending.id }, decision);
    },
    ["approvals", "state", "call", "grants"],
  );
  const isAnswered = decide.data !== undefined || !isWaiting;
  const detail = useRead("call", { callId: request.callId }, { isEnabled: isAnswered });
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
      <In folder={question.folder} />
      <View question={question} />
      <Facts of={{ Touches: <TouchedList touches={question.touches} /> }} />
      {question.inner.length > 0 && <Inner calls={question.inner} />}
      {isAnswered ? (
        <Answered
          approval={decide.data?.approval}
          call={detail.data?.call}
          callId={request.callId}
          undo={undo}
        />
      ) : (
        <Answer
          pending={pending}
          decide={decide.mutate}
          isOff={!isArmed || decide.isPending || !mayApprove}
          hasKeys={hasKeys && mayApprove && isArmed && !decide.isPending}
        />
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

interface AnswerProps {
  readonly pending: Pending;
  readonly decide: (decision: Decision) => void;
  readonly isOff: boolean;
  readonly hasKeys: boolean;
}

function Answer({ pending, decide, isOff, hasKeys }: AnswerProps): ReactNode {
  const { request, question } = pending;
  const [edited, setEdited] = useState<string>();
  const [reason, setReason] = useState<string>();
  const [choice, setChoice] = useState(question.choices[0]?.id ?? "");
  const input = edited === undefined ? undefined : parseObject(edited);
  const approve = (): void => {
    if (edited !== undefined && input === undefined) return;
    decide({ choice, ...(input !== undefined && { input }) });
  };
  const deny = (): void => {
    if (reason === undefined) setReason("");
    else decide({ choice: "no", ...(reason !== "" && { reason }) });
  };
  const edit = (): void => setEdited(edited === undefined ? editableJson(request.input) : undefined);
  useKeys(hasKeys ? { a: approve, d: deny, e: edit } : {});
  return (
    <div className="stack">
      {edited !== undefined && <InputField value={edited} change={setEdited} isValid={input !== undefined} />}
      <MayNot right="approve" />
      <Choices question={question} name={pending.id} chosen={choice} choose={setChoice} />
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
        {question.isEditable && (
          <button type="button" className="button" onClick={edit}>
            {edited === undefined ? "Edit input" : "Discard the edit"} {hasKeys && <kbd>e</kbd>}
          </button>
        )}
      </div>
    </div>
  );
}

interface InputFieldProps {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly isValid: boolean;
}

function InputField(props: InputFieldProps): ReactNode {
  const { value, change, isValid } = props;
  return (
    <label className="field">
      <span>Input to run instead</span>
      <textarea
        className="code"
        rows={Math.min(16, value.split("\n").length + 1)}
        value={value}
        onChange={({ target }) => change(target.value)}
        aria-invalid={!isValid}
      />
      {!isValid && <span className="bad-text">This is not a JSON object.</span>}
    </label>
  );
}

interface ChoicesProps {
  readonly question: Question;
  readonly name: string;
  readonly chosen: string;
  readonly choose: (id: string) => void;
}

/** The answers that allow the call: how long each lasts, and the rule that it saves. */
function Choices(props: ChoicesProps): ReactNode {
  const { onlyOnce } = props.question;
  const choices = props.question.choices.slice(0, -1);
  if (onlyOnce !== undefined) return <p className="small muted">Only once: {onlyOnce}</p>;
  if (choices.length < 2) return null;
  return (
    <fieldset className="scopes">
      <legend>Allow</legend>
      {choices.map(({ id, label, warning }) => (
        <label key={id}>
          <input
            type="radio"
            name={`choice-${props.name}`}
            checked={props.chosen === id}
            onChange={() => props.choose(id)}
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
