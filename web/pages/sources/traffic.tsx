import { useState, type ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { parseObject } from "../../api/json.ts";
import { useRead } from "../../api/queries.ts";
import { Badge } from "../../ui/values/badge.tsx";
import { bytesOf, durationOf, exactTimeOf } from "../../ui/values/format.ts";
import { Code, Copy, Json } from "../../ui/values/code.tsx";
import { Failed, Loading } from "../../ui/layout/states.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Segments } from "../../ui/controls/inputs.tsx";
import { useMay } from "../../api/rights.ts";

type Message = AnswerOf<"traffic">["messages"][number];

const EVERY_MS = 2000;

const SHOWN = [
  ["all", "All"],
  ["calls", "Calls of tools"],
  ["errors", "Errors"],
] as const;

/** The last messages between this server and an MCP server, newest first. */
export function Traffic({ source }: { readonly source: string }): ReactNode {
  const mayRead = useMay("admin");
  const { data, error, refetch } = useRead(
    "traffic",
    { name: source },
    { everyMs: EVERY_MS, isEnabled: mayRead },
  );
  const [filter, setFilter] = useState<(typeof SHOWN)[number][0]>("all");
  if (!mayRead) return null;
  const messages = (data?.messages ?? [])
    .filter(({ method, kind }) =>
      filter === "all" ? true : filter === "errors" ? kind === "error" : method === "tools/call",
    )
    .toReversed();
  return (
    <Panel
      title="Traffic"
      actions={
        <>
          <Segments label="Messages shown" options={SHOWN} value={filter} onChange={setFilter} />
          <Copy text={messages.map(({ text }) => text).join("\n")} label="Copy as JSON lines" />
        </>
      }
    >
      {error !== null && <Failed error={error} retry={refetch} />}
      {error === null && data === undefined && <Loading what="the messages" />}
      {data !== undefined && messages.length === 0 && (
        <p className="muted">
          {data.messages.length === 0
            ? "No message since this server began. Run one of its tools, or load it again."
            : "No message matches."}
        </p>
      )}
      <ol className="list traffic" aria-label="Messages">
        {messages.map((message) => (
          <li key={message.number}>
            <MessageRow message={message} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function MessageRow({ message }: { readonly message: Message }): ReactNode {
  const { at, direction, kind, id, method, tookMs, bytes, text } = message;
  return (
    <details>
      <summary className="message-row">
        <span className="muted figures">{exactTimeOf(at)}</span>
        <span className={`direction ${direction}`} title={direction} aria-label={direction}>
          {direction === "sent" ? "→" : "←"}
        </span>
        <code className="clip">{method ?? "answer"}</code>
        <span>
          <Badge tone={kind === "error" ? "bad" : kind === "answer" ? "ok" : "none"}>{kind}</Badge>
        </span>
        <span className="small muted clip">{id === null ? "" : `id ${id}`}</span>
        <span className="small muted figures">{tookMs === null ? "" : durationOf(tookMs)}</span>
        <span className="small muted figures">{bytesOf(bytes)}</span>
      </summary>
      <MessageText text={text} />
    </details>
  );
}

/** A message that was cut off is no JSON. */
function MessageText({ text }: { readonly text: string }): ReactNode {
  const value = parseObject(text);
  return value === undefined ? (
    <Code label="Message">{`${text}…`}</Code>
  ) : (
    <Json value={value} label="Message" />
  );
}
