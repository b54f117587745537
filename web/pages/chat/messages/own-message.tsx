import { useState, type ReactNode } from "react";
import type { AnswerOf } from "../../../../src/app/http/api.ts";
import { api } from "../../../api/client.ts";
import { useChange } from "../../../api/queries.ts";
import { Action } from "../../../ui/controls/action.tsx";
import { goTo } from "../../../ui/address/hooks.ts";
import { Needs } from "../../../ui/controls/needs.tsx";
import { ContentView } from "../../call/answer/result-view.tsx";
import { toBase64, type Attachment } from "../composer/attachments.tsx";
import { Prose } from "./prose.tsx";

export type Entry = AnswerOf<"session">["entries"][number];
type UserMessage = Extract<Extract<Entry, { kind: "message" }>["message"], { role: "user" }>;
type Content = UserMessage["content"][number];

interface OwnMessageProps {
  readonly seq: number;
  readonly message: UserMessage;
  /** The session, if its messages can be sent again. */
  readonly session: string | undefined;
}

/** A message of a person, or of another agent or a hook. A person's can be sent again, as it was or changed, in a copy of the conversation. */
export function OwnMessage({ seq, message, session }: OwnMessageProps): ReactNode {
  const [text, setText] = useState<string>();
  const { content, from } = message;
  const isOwn = from === undefined && session !== undefined;
  const [first] = content;
  const typed = first?.type === "text" ? first.text : "";
  return (
    <article className="message user" aria-label={from === undefined ? "You" : from.name}>
      <header className="row spread">
        <h2 className="small muted">{from === undefined ? "You" : from.name}</h2>
        {isOwn && text === undefined && (
          <span className="row message-actions">
            <Resend session={session} seq={seq} content={content} label="Retry" />
            <Needs right="admin">
              <button type="button" className="button compact plain" onClick={() => setText(typed)}>
                Edit
              </button>
            </Needs>
          </span>
        )}
      </header>
      {text === undefined ? (
        content.map((part, index) => (
          // oxlint-disable-next-line no-array-index-key -- a stored message does not change
          <PartView key={index} part={part} isTyped={index === 0} />
        ))
      ) : (
        <div className="stack">
          <textarea
            autoFocus
            aria-label="Changed message"
            rows={Math.min(10, text.split("\n").length + 1)}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={({ key }) => key === "Escape" && setText(undefined)}
          />
          <span className="row">
            {session !== undefined && (
              <Resend
                session={session}
                seq={seq}
                content={[{ type: "text", text }, ...(first?.type === "text" ? content.slice(1) : content)]}
                label="Send"
              />
            )}
            <button type="button" className="button compact" onClick={() => setText(undefined)}>
              Cancel
            </button>
            <span className="small muted">Goes on in a copy; this conversation stays as it is.</span>
          </span>
        </div>
      )}
    </article>
  );
}

/** A file that was read to the model is folded: its text may be long. */
function PartView({ part, isTyped }: { readonly part: Content; readonly isTyped: boolean }): ReactNode {
  if (part.type !== "text") return <ContentView content={[part]} />;
  const [, name, text = ""] = (!isTyped && /^File (.*)\n([\s\S]*)$/.exec(part.text)) || [];
  if (name === undefined) return <Prose text={part.text} breaks />;
  return (
    <details className="note">
      <summary>File {name}</summary>
      <pre className="code">{text}</pre>
    </details>
  );
}

interface ResendProps {
  readonly session: string;
  readonly seq: number;
  readonly content: readonly Content[];
  readonly label: string;
}

/** Sends content in place of a message, in a copy of the conversation that ends before it. */
function Resend({ session, seq, content, label }: ResendProps): ReactNode {
  const send = useChange(async () => {
    const { id } = await api.forkChat({ id: session }, { before: seq });
    await api.sendMessage({ id }, toMessage(content));
    goTo("chat", id);
  }, ["chats", "sessions"]);
  return (
    <>
      <Action
        right="admin"
        look={label === "Send" ? "compact primary" : "compact plain"}
        change={send}
        onClick={() => send.mutate(undefined)}
      >
        {label}
      </Action>
      {send.error !== null && (
        <span className="bad-text" role="alert">
          {send.error.message}
        </span>
      )}
    </>
  );
}

/** Returns the message whose content this is. */
function toMessage(content: readonly Content[]): {
  readonly text: string;
  readonly attachments: readonly Attachment[];
} {
  const [first, ...rest] = content;
  const isTyped = first?.type === "text";
  return {
    text: isTyped ? first.text : "",
    attachments: (isTyped ? rest : content).map(toAttachment),
  };
}

function toAttachment(part: Content): Attachment {
  if (part.type !== "text") {
    const name = part.type === "file" ? part.name : undefined;
    return { mimeType: part.mimeType, data: part.data, ...(name !== undefined && { name }) };
  }
  const [, name = "text", text = part.text] = /^File (.*)\n([\s\S]*)$/.exec(part.text) ?? [];
  return { mimeType: "text/plain", name, data: toBase64(new TextEncoder().encode(text)) };
}
