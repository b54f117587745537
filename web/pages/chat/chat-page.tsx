import { useState, type ReactNode } from "react";
import type { AnswerOf, BodyOf } from "../../../src/app/http/api.ts";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { Action } from "../../ui/controls/action.tsx";
import { agoOf, countOf, plural } from "../../ui/values/format.ts";
import { Badge } from "../../ui/values/badge.tsx";
import { Empty, Failed, Loading } from "../../ui/layout/states.tsx";
import { goTo, linkTo, useStickToEnd } from "../../ui/address/hooks.ts";
import { Needs } from "../../ui/controls/needs.tsx";
import { PageHead } from "../../ui/layout/panel.tsx";
import { ApprovalCard } from "../approvals/card/approval-card.tsx";
import { ChatModel, ContextMeter, ModelChoice, Rename } from "./chat-settings.tsx";
import { Composer } from "./composer/composer.tsx";
import { Conversation, textOf } from "./messages/conversation.tsx";
import { Draft } from "./live/draft.tsx";
import { useLiveSession } from "./live/live-session.ts";

type Chat = AnswerOf<"chats">["chats"][number];

/** A conversation with the agent, or the list of those that can be continued. */
export function ChatPage({ id }: { readonly id: string | undefined }): ReactNode {
  return id === undefined ? <ChatList /> : <OpenChat key={id} id={id} />;
}

/** Opens a chat and goes to it. */
function useOpenChat() {
  return useChange(
    async (chat: BodyOf<"openChat">) => {
      const { id } = await api.openChat(chat);
      goTo("chat", id);
    },
    ["chats", "sessions"],
  );
}

function ChatList(): ReactNode {
  const { data: state } = useRead("state");
  const chats = useRead("chats");
  const sessions = useRead("sessions");
  const open = useOpenChat();
  const [chosen, setChosen] = useState<string>();
  const model = chosen ?? state?.model ?? "";
  if (sessions.error !== null) return <Failed error={sessions.error} retry={sessions.refetch} />;
  if (sessions.data === undefined || chats.data === undefined) return <Loading what="conversations" />;
  const busy = new Map(chats.data.chats.map((chat) => [chat.id, chat]));
  return (
    <div className="page">
      <PageHead
        title="Chat"
        about={state?.model === null ? "No model is set." : `With ${state?.model ?? "…"}`}
      >
        <ModelChoice value={model} choose={setChosen} />
        <Action
          right="admin"
          look="primary"
          change={open}
          onClick={() => open.mutate(model === "" ? {} : { model })}
        >
          New chat
        </Action>
      </PageHead>
      {open.error !== null && <Failed error={open.error} />}
      {state?.model === null && (
        <Empty title="Choose a model first">
          Set one with <code>toolwright init</code>, or start the server with{" "}
          <code>toolwright serve --model PROVIDER/NAME</code>
        </Empty>
      )}
      {sessions.data.sessions.length === 0 ? (
        <Empty title="No conversations yet">Start one with New chat.</Empty>
      ) : (
        <ul className="list panel" aria-label="Conversations">
          {sessions.data.sessions.map((session) => (
            <li key={session.id}>
              <a className="item" href={linkTo("chat", session.id)}>
                <span className="row spread">
                  <strong className="clip">{session.title === "" ? "Untitled" : session.title}</strong>
                  {busy.has(session.id) && (
                    <Badge tone={busy.get(session.id)?.isBusy === true ? "info" : "ok"}>
                      {busy.get(session.id)?.isBusy === true ? "Working" : "Open"}
                    </Badge>
                  )}
                </span>
                <span className="small muted">
                  {session.model} · {plural(session.turns, "turn")} · {agoOf(session.updatedAt)}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function OpenChat({ id }: { readonly id: string }): ReactNode {
  const chats = useRead("chats");
  const session = useRead("session", { id });
  const live = useLiveSession(id);
  const [suggestion, suggest] = useState("");
  const box = useStickToEnd<HTMLDivElement>();
  const approvals = useRead("approvals").data?.approvals ?? [];
  const waiting = approvals.filter(({ request }) => request.session === id);
  if (chats.error !== null) return <Failed error={chats.error} retry={chats.refetch} />;
  if (chats.data === undefined) return <Loading what="the conversation" />;
  const chat = chats.data.chats.find((one) => one.id === id);
  const { entries = [], calls = [] } = session.data ?? {};
  const title = session.data?.session.title ?? "";
  const isNew = chat !== undefined && entries.length === 0 && live.drafts.length === 0 && !live.isBusy;
  // A stored message may be read before the event that ends its draft arrives, or after it.
  const known = new Set(entries.map(textOf));
  return (
    <div className="page chat">
      <ChatHead id={id} title={title} chat={chat} />
      <div className="messages" role="log" aria-label="Conversation" tabIndex={0} {...box}>
        <Conversation entries={entries} calls={calls} session={id} />
        {isNew && <Suggestions choose={suggest} />}
        {live.drafts
          .filter(({ text }) => text === "" || !known.has(text))
          .map((draft) => (
            <Draft key={draft.key} draft={draft} />
          ))}
        {waiting.map((pending, index) => (
          <ApprovalCard key={pending.id} pending={pending} hasKeys={index === 0} />
        ))}
        <Note text={live.notice} />
        <Note text={live.outcome} />
      </div>
      {chat === undefined ? (
        <Continue id={id} />
      ) : (
        <Composer
          key={suggestion}
          id={id}
          draft={suggestion}
          isBusy={chat.isBusy || live.isBusy}
          isAsked={waiting.length > 0}
          onSent={live.sent}
          onFailed={live.notSent}
        />
      )}
    </div>
  );
}

const SUGGESTIONS = [
  "What is in this folder, and how does it fit together?",
  "Run the tests, and explain what fails.",
  "Find every TODO, and say which to do first.",
  "What changed in the last commits?",
];

/** What a person may begin with. A suggestion is put into the message, and not sent. */
function Suggestions({ choose }: { readonly choose: (text: string) => void }): ReactNode {
  return (
    <Needs right="admin">
      <Empty title="What shall the agent do?">
        <span className="suggestions">
          {SUGGESTIONS.map((text) => (
            <button key={text} type="button" className="button" onClick={() => choose(text)}>
              {text}
            </button>
          ))}
        </span>
      </Empty>
    </Needs>
  );
}

function Note({ text }: { readonly text: string | undefined }): ReactNode {
  if (text === undefined) return null;
  return (
    <p className="note" role="status">
      {text}
    </p>
  );
}

function ChatHead(props: {
  readonly id: string;
  readonly title: string;
  readonly chat: Chat | undefined;
}): ReactNode {
  const { id, title, chat } = props;
  return (
    <PageHead
      title={title || "New chat"}
      about={chat === undefined ? "This conversation is stored." : aboutOf(chat)}
    >
      {chat !== undefined && (
        <>
          <ContextMeter id={id} />
          <ChatModel id={id} model={chat.model} />
        </>
      )}
      {title !== "" && <Rename id={id} title={title} />}
      <a className="button" href={linkTo("chat")}>
        All chats
      </a>
      <a className="button" href={linkTo("sessions", id)}>
        Session
      </a>
    </PageHead>
  );
}

function Continue({ id }: { readonly id: string }): ReactNode {
  const open = useOpenChat();
  return (
    <div className="row">
      <Action right="admin" look="primary" change={open} onClick={() => open.mutate({ resume: id })}>
        Continue this conversation
      </Action>
      {open.error !== null && <Failed error={open.error} />}
    </div>
  );
}

function aboutOf(chat: Chat): string {
  const { tokens = 0, money } = chat.spent as { readonly tokens?: number; readonly money?: number };
  const cost = money === undefined ? "" : ` · $${money.toFixed(4)}`;
  return `${chat.model} · mode ${chat.mode} · ${countOf(tokens)} tokens${cost}`;
}
