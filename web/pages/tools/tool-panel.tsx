import { useEffect, useMemo, useState, type ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { BackLink, Panel } from "../../ui/layout/panel.tsx";
import { Badge } from "../../ui/values/badge.tsx";
import { Copy, Json } from "../../ui/values/code.tsx";
import { editableJson } from "../../ui/values/format.ts";
import { Failed, Loading } from "../../ui/layout/states.tsx";
import { linkTo, useRoute } from "../../ui/address/hooks.ts";
import { MayNot, IfPage } from "../../ui/controls/needs.tsx";
import { RiskBadge } from "../../ui/values/call-bits.tsx";
import { Segments } from "../../ui/controls/inputs.tsx";
import { useMay } from "../../api/rights.ts";
import { parseObject } from "../../api/json.ts";
import { asCli, asCurl, asJson, withoutDefaults, type Input } from "./form/copies.ts";
import { LiveCall } from "./live-call.tsx";
import { SchemaForm, type Problem } from "./form/schema-form.tsx";

type Spec = AnswerOf<"tool">["tool"];

/** One tool: what it does, a form for its input, and its last run. */
export function ToolPanel({ name }: { readonly name: string }): ReactNode {
  const { data, error, refetch } = useRead("tool", { name });
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="the tool" />;
  const { tool, isActive } = data;
  return (
    <div className="stack detail">
      <BackLink to="tools">All tools</BackLink>
      <Panel
        title={tool.name}
        actions={
          <>
            <RiskBadge risk={tool.risk} />
            <Badge>{tool.place}</Badge>
            {!isActive && <Badge tone="warn">inactive</Badge>}
          </>
        }
      >
        <p className="description">{tool.description}</p>
        <p className="small muted">
          from <a href={linkTo("sources", tool.source)}>{tool.source}</a>
          {tool.group !== undefined && ` · group ${tool.group}`} · effects: {tool.effects}
        </p>
        <details>
          <summary className="small muted">Schemas</summary>
          <div className="stack">
            <Json value={tool.input} label="Schema of the input" />
            {tool.output !== undefined && <Json value={tool.output} label="Schema of the output" />}
          </div>
        </details>
      </Panel>
      <RunForm spec={tool} />
    </div>
  );
}

type Fault = NonNullable<AnswerOf<"explain">["fault"]>;

function problemsOf(fault: Fault | null): readonly Problem[] {
  const { problems = [] } = (fault?.details ?? {}) as { readonly problems?: readonly Problem[] };
  return problems;
}

/** Returns the names of the fields that are to be corrected: what is wrong is said at each of them. */
function toCorrect(problems: readonly Problem[]): string {
  const names = problems.map(({ path }) => path.slice(1).replaceAll("/", ".") || "the input");
  return `Nothing ran. To correct: ${names.join(", ")}`;
}

/** The input, as a form or as JSON. */
interface Draft {
  readonly input: Input;
  /** Set while the input is written as JSON. */
  readonly json?: string;
}

function RunForm({ spec }: { readonly spec: Spec }): ReactNode {
  const { query } = useRoute();
  const [draft, setDraft] = useState<Draft>(() => ({ input: parseObject(query.get("input") ?? "{}") ?? {} }));
  const [callId, setCallId] = useState<string>();
  const editedInput = draft.json === undefined ? draft.input : parseObject(draft.json);
  const toolInput = withoutDefaults(editedInput ?? {}, spec.input);
  const [fault, setFault] = useState<Fault | null>(null);
  const run = useChange(async () => {
    // Input that does not fit is no call: it would be recorded, and counted as a failed one.
    const explained = await api.explain({ name: spec.name, input: toolInput });
    const wrong = explained.fault?.code === "INVALID_INPUT" ? explained.fault : null;
    setFault(wrong);
    if (wrong !== null) return;
    const id = `page-${crypto.randomUUID()}`;
    await api.run({ name: spec.name, input: toolInput, id, wait: false });
    setCallId(id);
  }, ["calls", "state"]);
  const problems = useMemo(() => problemsOf(fault), [fault]);
  useEffect(() => {
    if (problems.length > 0) document.querySelector(".field-errors")?.scrollIntoView({ block: "center" });
  }, [problems]);
  const mayCall = useMay("call");
  const start = (): void => {
    if (editedInput !== undefined && !run.isPending && mayCall) run.mutate(undefined);
  };
  return (
    <div className={callId === undefined ? "run" : "run has-result"}>
      <Panel
        title="Input"
        actions={
          <Segments
            label="How to write the input"
            options={[
              ["form", "Form"],
              ["json", "JSON"],
            ]}
            value={draft.json === undefined ? "form" : "json"}
            onChange={(to) =>
              setDraft(
                to === "json"
                  ? { input: draft.input, json: editableJson(draft.input) }
                  : { input: editedInput ?? draft.input },
              )
            }
          />
        }
      >
        <div
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) start();
          }}
        >
          {draft.json === undefined ? (
            <SchemaForm
              spec={spec}
              input={draft.input}
              onChange={(input) => setDraft({ input })}
              onSubmit={start}
              problems={problems}
            />
          ) : (
            <JsonInput text={draft.json} onChange={(json) => setDraft({ input: draft.input, json })} />
          )}
        </div>
        <MayNot right="call" />
        {run.error !== null && <Failed error={run.error} />}
        <div className="run-bar stack">
          {fault !== null && (
            <p className="bad-text" role="alert">
              {problems.length === 0 ? fault.message : toCorrect(problems)}
            </p>
          )}
          <Actions
            spec={spec}
            input={toolInput}
            start={start}
            isReady={editedInput !== undefined && !run.isPending && mayCall}
          />
        </div>
      </Panel>
      {callId !== undefined && <LiveCall key={callId} id={callId} />}
    </div>
  );
}

function JsonInput(props: { readonly text: string; readonly onChange: (text: string) => void }): ReactNode {
  const isBroken = parseObject(props.text) === undefined;
  return (
    <label className="field">
      <span>Input as JSON</span>
      <textarea
        className="code"
        rows={10}
        value={props.text}
        aria-invalid={isBroken}
        onChange={({ target }) => props.onChange(target.value)}
      />
      {isBroken && <span className="bad-text">This is not a JSON object.</span>}
    </label>
  );
}

interface ActionsProps {
  readonly spec: Spec;
  readonly input: Input;
  readonly start: () => void;
  readonly isReady: boolean;
}

function Actions(props: ActionsProps): ReactNode {
  const { name } = props.spec;
  const { input } = props;
  const explained = new URLSearchParams({ name, input: JSON.stringify(input) });
  return (
    <div className="row spread">
      <div className="row">
        <button type="button" className="button primary" disabled={!props.isReady} onClick={props.start}>
          Run {name}
        </button>
        <IfPage page="policy">
          <a className="button" href={`${linkTo("policy")}?${explained.toString()}`}>
            Explain
          </a>
        </IfPage>
      </div>
      <div className="row">
        <Copy text={asCli(name, input)} label="Copy as CLI" />
        <Copy text={asJson(name, input)} label="Copy as JSON" />
        <Copy text={asCurl(name, input, window.location.origin)} label="Copy as curl" />
      </div>
    </div>
  );
}
