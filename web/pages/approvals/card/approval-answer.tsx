import { useState, type ReactNode } from "react";
import { parseObject } from "../../../api/json.ts";
import { Badge } from "../../../ui/values/badge.tsx";
import { editableJson } from "../../../ui/values/format.ts";
import { useKeys } from "../../../ui/address/hooks.ts";
import type { Decision, Pending, Question } from "./pending.ts";

interface AnswerProps {
  readonly pending: Pending;
  readonly decide: (decision: Decision) => void;
  readonly isOff: boolean;
  readonly hasKeys: boolean;
}

/** The answers to a call that waits: approve it, with another input or for longer, or deny it with a reason. */
export function Answer({ pending, decide, isOff, hasKeys }: AnswerProps): ReactNode {
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
