import { useState, type FormEvent, type ReactNode } from "react";
import type { AnswerOf, BodyOf } from "../../../src/app/http/api.ts";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { Badge, Facts, Failed, Panel, Segments } from "../../ui/bits.tsx";
import { RiskBadge, TouchedList, VerdictBadge } from "../../ui/call-bits.tsx";
import { parseObject } from "../../api/json.ts";
import { useRoute } from "../../ui/hooks.ts";
import { Needs } from "../../ui/needs.tsx";

type Question = BodyOf<"explain">;
type Explanation = AnswerOf<"explain">;

/** Explains what policy would decide about a command or a call, and offers to allow it from now on. */
export function ExplainBox(): ReactNode {
  const { query } = useRoute();
  const [kind, setKind] = useState<"command" | "call">(query.has("name") ? "call" : "command");
  const [command, setCommand] = useState("");
  const [name, setName] = useState(query.get("name") ?? "");
  const [input, setInput] = useState(query.get("input") ?? "{}");
  const tools = useRead("tools", {}, { isEnabled: kind === "call" });
  const explain = useChange((question: Question) => api.explain(question), []);
  const allow = useChange((question: Question) => api.allow(question), ["policy"]);
  const parsed = parseObject(input);
  const question: Question = kind === "command" ? { command } : { name, input: parsed ?? {} };
  const isReady = kind === "command" ? command.trim() !== "" : name !== "" && parsed !== undefined;
  const ask = (event: FormEvent): void => {
    event.preventDefault();
    allow.reset();
    if (isReady) explain.mutate(question);
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
          value={kind}
          onChange={setKind}
        />
      }
    >
      <form className="stack" onSubmit={ask}>
        {kind === "command" ? (
          <label className="field">
            <span>Command</span>
            <input
              className="mono"
              value={command}
              placeholder="rm -rf build"
              onChange={({ target }) => setCommand(target.value)}
            />
          </label>
        ) : (
          <>
            <label className="field">
              <span>Tool</span>
              <input list="tool-names" value={name} onChange={({ target }) => setName(target.value)} />
              <datalist id="tool-names">
                {tools.data?.tools.map((tool) => (
                  <option key={tool.name} value={tool.name} />
                ))}
              </datalist>
            </label>
            <label className="field">
              <span>Input as JSON</span>
              <textarea
                className="code"
                rows={4}
                value={input}
                aria-invalid={parsed === undefined}
                onChange={({ target }) => setInput(target.value)}
              />
            </label>
          </>
        )}
        <div className="row">
          <button type="submit" className="button primary" disabled={!isReady || explain.isPending}>
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

function Answer(props: {
  readonly explanation: Explanation;
  readonly allow: () => void;
  readonly isAllowing: boolean;
}): ReactNode {
  const { verdict, touches, choices, onlyOnce, risk, fault } = props.explanation;
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
            <button type="button" className="button" disabled={props.isAllowing} onClick={props.allow}>
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
