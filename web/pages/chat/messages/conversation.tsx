import type { ReactNode } from "react";
import { Code, Json } from "../../../ui/values/code.tsx";
import { linkTo } from "../../../ui/address/hooks.ts";
import { onOneLine } from "../../../ui/values/format.ts";
import { Outcome, Took, type Call } from "../../../ui/values/call-bits.tsx";
import { callKey } from "../../../../src/util/text/call-key.ts";
import { useRead } from "../../../api/queries.ts";
import { Progress } from "../../call/answer/progress.tsx";
import { ContentView, Fault } from "../../call/answer/result-view.tsx";
import { OwnMessage, type Entry } from "./own-message.tsx";
import { Prose } from "./prose.tsx";

type Message = Extract<Entry, { kind: "message" }>["message"];
type Part = Extract<Message, { role: "assistant" }>["parts"][number];
type ToolResult = Extract<Message, { role: "tool" }>["results"][number];

/** The messages of a session in order, with the calls of the agent where it made them. */
export function Conversation(props: {
  readonly entries: readonly Entry[];
  readonly calls: readonly Call[];
  /** The session, if its messages can be sent again. */
  readonly session?: string;
}): ReactNode {
  const results = new Map(props.entries.flatMap(resultsOf).map((result) => [result.callId, result]));
  const calls = new Map(props.calls.map((call) => [call.callId, call]));
  return props.entries.map((entry) => (
    <EntryView key={entry.seq} entry={entry} results={results} calls={calls} session={props.session} />
  ));
}

interface EntryProps {
  readonly entry: Entry;
  readonly results: ReadonlyMap<string, ToolResult>;
  readonly calls: ReadonlyMap<string, Call>;
  readonly session: string | undefined;
}

function EntryView({ entry, results, calls, session }: EntryProps): ReactNode {
  if (entry.kind === "compaction")
    return (
      <details className="note">
        <summary>Earlier messages were summarised for the model</summary>
        <Prose text={entry.summary} />
      </details>
    );
  if (entry.kind === "command")
    return (
      <div className="note">
        <code>{entry.text}</code>
        {entry.output !== "" && <Code label="Output of the command">{entry.output}</Code>}
      </div>
    );
  if (entry.kind === "instructions")
    return <p className="note">Instructions: {entry.parts.map(({ name }) => name).join(", ")}</p>;
  if (entry.kind !== "message") return null;
  const { message } = entry;
  if (message.role === "user") return <OwnMessage seq={entry.seq} message={message} session={session} />;
  if (message.role === "tool") return null;
  return (
    <article className="message agent" aria-label="Agent">
      <h2 className="small muted">Agent</h2>
      {message.parts.map((part, index) => (
        // oxlint-disable-next-line no-array-index-key -- a stored message does not change
        <PartView key={index} part={part} results={results} calls={calls} />
      ))}
    </article>
  );
}

function PartView({
  part,
  results,
  calls,
}: Pick<EntryProps, "results" | "calls"> & { readonly part: Part }): ReactNode {
  if (part.type === "text") return <Prose text={part.text} />;
  if (part.type === "reasoning") return <Reasoning text={part.text} />;
  const { call } = part;
  return (
    <CallInline
      id={call.id}
      name={call.name}
      input={call.input}
      result={results.get(call.id)}
      row={calls.get(call.id)}
    />
  );
}

export function Reasoning({ text }: { readonly text: string }): ReactNode {
  if (text === "") return null;
  return (
    <details className="note">
      <summary>Reasoning</summary>
      <Prose text={text} />
    </details>
  );
}

interface CallInlineProps {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly result: ToolResult | undefined;
  readonly row: Call | undefined;
}

/** A call where the agent made it; it opens to its input and result. */
function CallInline(props: CallInlineProps): ReactNode {
  const { row, result } = props;
  const whole = row === undefined ? props.id : callKey(row);
  return (
    <>
      <details className="call-inline">
        <summary>
          <strong>{props.name}</strong> <span className="mono clip muted">{onOneLine(props.input)}</span>
          <span className="row">
            {row !== undefined && (
              <>
                <span className="small muted">
                  <Took call={row} />
                </span>
                <Outcome call={row} />
              </>
            )}
          </span>
        </summary>
        <div className="stack">
          <Json value={props.input} label={`Input of ${props.name}`} />
          {result?.ok === false && <Fault fault={result.error} />}
          {result?.ok === true && <ContentView content={result.content} />}
          <a href={linkTo("calls", whole)}>The whole call</a>
        </div>
      </details>
      {row?.state === "open" && row.startedAt !== null && <LiveOutput call={row} />}
    </>
  );
}

/** What a running call has printed so far. */
function LiveOutput({ call: { callId, receivedAt } }: { readonly call: Call }): ReactNode {
  const { data } = useRead("call", { callId, at: receivedAt });
  return data === undefined || data.progress.length === 0 ? null : (
    <Progress progress={data.progress} isOpen />
  );
}

/** Returns the text of a message of the agent; undefined for any other entry. */
export function textOf(entry: Entry): string | undefined {
  if (entry.kind !== "message" || entry.message.role !== "assistant") return undefined;
  return entry.message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function resultsOf(entry: Entry): readonly ToolResult[] {
  return entry.kind === "message" && entry.message.role === "tool" ? entry.message.results : [];
}
