import { useState, type FormEvent, type ReactNode } from "react";
import type { AnswerOf, BodyOf } from "../../../src/app/http/api.ts";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { Badge } from "../../ui/values/badge.tsx";
import { Facts, Panel } from "../../ui/layout/panel.tsx";
import { Failed } from "../../ui/layout/states.tsx";
import { Needs } from "../../ui/controls/needs.tsx";
import { RiskBadge, TouchedList, VerdictBadge } from "../../ui/values/call-bits.tsx";
import { Segments } from "../../ui/controls/inputs.tsx";
import { useRoute } from "../../ui/address/hooks.ts";
import { parseObject } from "../../api/json.ts";

type Question = BodyOf<"explain">;
type Explanation = AnswerOf<"explain">;

/** The question while it is written. */
interface Draft {
  readonly kind: "command" | "call";
  readonly command: string;
  readonly name: string;
  /** JSON. */
  readonly input: string;
}

interface DraftProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}

/** Explains what policy would decide about a command or a call, and offers to allow it from now on. */
export function ExplainBox(): ReactNode {
  const { query } = useRoute();
  const [draft, setDraft] = useState<Draft>({
    kind: query.has("name") ? "call" : "command",
    command: "",
    name: query.get("name") ?? "",
    input: query.get("input") ?? "{}",
  });
  const change = (part: Partial<Draft>): void => setDraft((last) => ({ ...last, ...part }));
  const explain = useChange((question: Question) => api.explain(question), []);
  const allow = useChange((question: Question) => api.allow(question), ["policy"]);
  const question = questionOf(draft);
  const ask = (event: FormEvent): void => {
    event.preventDefault();
    allow.reset();
    if (question !== undefined) explain.mutate(question);
  };
  return (
    <Panel
      title="Explain"
      actions={
        <Segments
          label="What to explain"
          options={[
            ["command", "A command"],
            ["call", "A call"],
          ]}
          value={draft.kind}
          onChange={(kind) => change({ kind })}
        />
      }
    >
      <form className="stack" onSubmit={ask}>
        {draft.kind === "command" ? (
          <CommandField draft={draft} change={change} />
        ) : (
          <CallFields draft={draft} change={change} />
        )}
        <div className="row">
          <button
            type="submit"
            className="button primary"
            disabled={question === undefined || explain.isPending}
          >
            Explain
          </button>
          <span className="small muted">Nothing runs.</span>
        </div>
      </form>
      {explain.error !== null && <Failed error={explain.error} />}
      {explain.data !== undefined && (
        <Answer
          explanation={explain.data}
          allow={() => explain.variables !== undefined && allow.mutate(explain.variables)}
          isAllowing={allow.isPending}
        />
      )}
      {allow.error !== null && <Failed error={allow.error} />}
      {allow.data !== undefined && (
        <p role="status">
          <Badge tone="ok">Saved</Badge> <code>{allow.data.text}</code> for this workspace
        </p>
      )}
    </Panel>
  );
}

/** Returns the question, or undefined if something is missing or is not JSON. */
function questionOf({ kind, command, name, input }: Draft): Question | undefined {
  if (kind === "command") return command.trim() === "" ? undefined : { command };
  const parsed = parseObject(input);
  return name === "" || parsed === undefined ? undefined : { name, input: parsed };
}

function CommandField({ draft, change }: DraftProps): ReactNode {
  return (
    <label className="field">
      <span>Command</span>
      <input
        className="mono"
        value={draft.command}
        placeholder="rm -rf build"
        onChange={({ target }) => change({ command: target.value })}
      />
    </label>
  );
}

function CallFields({ draft, change }: DraftProps): ReactNode {
  const { data } = useRead("tools");
  return (
    <>
      <label className="field">
        <span>Tool</span>
        <input
          list="tool-names"
          value={draft.name}
          onChange={({ target }) => change({ name: target.value })}
        />
        <datalist id="tool-names">
          {data?.tools.map((tool) => (
            <option key={tool.name} value={tool.name} />
          ))}
        </datalist>
      </label>
      <label className="field">
        <span>Input as JSON</span>
        <textarea
          className="code"
          rows={4}
          value={draft.input}
          aria-invalid={parseObject(draft.input) === undefined}
          onChange={({ target }) => change({ input: target.value })}
        />
      </label>
    </>
  );
}

interface AnswerProps {
  readonly explanation: Explanation;
  readonly allow: () => void;
  readonly isAllowing: boolean;
}

function Answer({ explanation, allow, isAllowing }: AnswerProps): ReactNode {
  const { verdict, touches, choices, onlyOnce, risk, fault } = explanation;
  if (verdict === null)
    return (
      <div className="stack" role="status">
        <p>
          <Badge tone="bad">{fault?.code ?? "Not judged"}</Badge> {fault?.message}
        </p>
        {fault?.hint !== undefined && <p className="muted">{fault.hint}</p>}
      </div>
    );
  const always = choices.find(({ id }) => id === "always");
  return (
    <div className="stack" role="status" aria-label="Explanation">
      <div className="row">
        <VerdictBadge kind={verdict.kind} /> <RiskBadge risk={verdict.risk ?? risk} />
      </div>
      <Facts
        of={{
          Reason: verdict.reason,
          Rule: <code>{verdict.rule}</code>,
          "What to do": verdict.hint,
          Place: verdict.place === undefined ? undefined : "a read-only sandbox, because no rule allows it",
          Touches: <TouchedList touches={touches} />,
          "Can be approved": choices.length > 0 && <ChoiceList choices={choices.slice(0, -1)} />,
          "Only once": onlyOnce,
        }}
      />
      {always !== undefined && (
        <div>
          <Needs right="admin">
            <button type="button" className="button" disabled={isAllowing} onClick={allow}>
              Allow this from now on
            </button>
          </Needs>
        </div>
      )}
    </div>
  );
}

function ChoiceList({ choices }: { readonly choices: Explanation["choices"] }): ReactNode {
  return (
    <ul className="list">
      {choices.map(({ id, label, warning }) => (
        <li key={id}>
          {label} {warning !== undefined && <Badge tone="warn">{warning}</Badge>}
        </li>
      ))}
    </ul>
  );
}
