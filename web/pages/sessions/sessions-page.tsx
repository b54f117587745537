import { useState, type ReactNode } from "react";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { agoOf, plural, timeOf } from "../../ui/values/format.ts";
import { BackLink, PageHead, Panel } from "../../ui/layout/panel.tsx";
import { DataTable, type Column } from "../../ui/layout/data-table.tsx";
import { Empty, Failed, Loading } from "../../ui/layout/states.tsx";
import { goTo, linkBeside, linkTo, TWO_COLUMNS, useAddressed, useMatches } from "../../ui/address/hooks.ts";
import { Needs, IfPage } from "../../ui/controls/needs.tsx";
import { Outcome, Took, type Call } from "../../ui/values/call-bits.tsx";
import { SearchBox } from "../../ui/controls/inputs.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Tabs } from "../../ui/layout/tabs.tsx";
import { Conversation } from "../chat/messages/conversation.tsx";
import { SessionCost, SessionWaterfall } from "./session-waterfall.tsx";
import { callKey } from "../../../src/util/text/call-key.ts";

/** The stored sessions, and the chosen one with its conversation and calls. */
export function SessionsPage({ id }: { readonly id: string | undefined }): ReactNode {
  const [text, setText] = useAddressed("text", "");
  const { data, error, refetch } = useRead("sessions");
  const hasRoom = useMatches(TWO_COLUMNS);
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="sessions" />;
  const matches = data.sessions.filter(({ title, model, id: own }) =>
    `${title} ${model} ${own}`.toLowerCase().includes(text.toLowerCase()),
  );
  const shownId = id ?? (hasRoom ? matches[0]?.id : undefined);
  return (
    <div className="page">
      <PageHead title="Sessions" about="Conversations of agents in this folder, the last used first." />
      {data.sessions.length === 0 && id === undefined ? (
        <Empty title="No sessions yet">
          <IfPage page="chat">
            Start a <a href={linkTo("chat")}>chat</a>, or run a task: <code>toolwright run "TASK"</code>
          </IfPage>
        </Empty>
      ) : (
        <div className={id === undefined ? "split" : "split has-detail"}>
          <div className="stack">
            <SearchBox label="Search sessions" value={text} onChange={setText} />
            <nav className="panel scroll" aria-label="Sessions">
              <ul className="list">
                {matches.map((session) => (
                  <li key={session.id}>
                    <a
                      className="item"
                      href={linkBeside("sessions", session.id)}
                      aria-current={session.id === shownId}
                    >
                      <span className="row spread one-line">
                        <strong className="clip">{session.title === "" ? "Untitled" : session.title}</strong>
                        <StateBadge state={session.state} />
                      </span>
                      <span className="small muted">
                        {session.agent.name} · {plural(session.turns, "turn")} · {agoOf(session.updatedAt)}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          </div>
          {shownId === undefined ? (
            <Empty title="Choose a session">Its conversation and calls appear here.</Empty>
          ) : (
            <div className="stack">
              <BackLink to="sessions">All sessions</BackLink>
              <SessionPanel key={shownId} id={shownId} />
            </div>
          )}
        </div>
      )}
    </div>
  );
}

const CALLS: readonly Column<Call>[] = [
  { title: "Time", width: "7.5rem", render: ({ receivedAt }) => timeOf(receivedAt), isWide: true },
  {
    title: "Tool",
    width: "minmax(6rem, 12rem)",
    render: (call) => <a href={linkTo("calls", callKey(call))}>{call.name}</a>,
  },
  {
    title: "Input",
    width: "minmax(4rem, 1fr)",
    render: ({ summary }) => <span className="mono">{summary}</span>,
  },
  { title: "Outcome", width: "7rem", render: (call) => <Outcome call={call} /> },
  { title: "Took", width: "5rem", render: (call) => <Took call={call} />, isNumber: true, isWide: true },
];

function SessionPanel({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch } = useRead("session", { id });
  const remove = useChange(async () => {
    await api.deleteSession({ id });
    goTo("sessions");
  }, ["sessions"]);
  const [isSure, setSure] = useState(false);
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="the session" />;
  const { session, entries, calls, children } = data;
  return (
    <Panel
      title={session.title === "" ? "Untitled" : session.title}
      actions={
        <>
          <IfPage page="chat">
            <a className="button" href={linkTo("chat", id)}>
              Continue in chat
            </a>
          </IfPage>
          <Needs right="admin">
            <button
              type="button"
              className="button danger"
              onClick={() => (isSure ? remove.mutate(undefined) : setSure(true))}
              onBlur={() => setSure(false)}
            >
              {isSure ? "Delete for ever" : "Delete…"}
            </button>
          </Needs>
        </>
      }
    >
      <p className="small muted">
        {session.agent.name} · {session.model} · {plural(session.turns, "turn")} · began{" "}
        {timeOf(session.createdAt)} · <code>{id}</code>
      </p>
      <SessionCost id={id} />
      {remove.error !== null && <Failed error={remove.error} />}
      {children.length > 0 && (
        <p className="row">
          Agents that it started:
          {children.map((child) => (
            <a key={child.id} href={linkTo("sessions", child.id)}>
              {child.agent.name}
            </a>
          ))}
        </p>
      )}
      <Tabs
        label="Parts of the session"
        tabs={[
          {
            name: "Conversation",
            render: () =>
              entries.length === 0 ? (
                <Empty title="No messages" />
              ) : (
                <div className="messages">
                  <Conversation entries={entries} calls={calls} />
                </div>
              ),
          },
          { name: "Waterfall", render: () => <SessionWaterfall id={id} /> },
          {
            name: `Calls (${calls.length})`,
            render: () =>
              calls.length === 0 ? (
                <Empty title="No calls" />
              ) : (
                <DataTable
                  label="Calls of the session"
                  rows={calls}
                  columns={CALLS}
                  idOf={callKey}
                  maxHeight="60vh"
                />
              ),
          },
        ]}
      />
    </Panel>
  );
}
