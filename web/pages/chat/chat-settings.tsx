import { useState, type ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { Action } from "../../ui/controls/action.tsx";
import { Needs } from "../../ui/controls/needs.tsx";
import { shortCountOf } from "../../ui/values/format.ts";
import { useMay } from "../../api/rights.ts";

type Context = AnswerOf<"chatContext">;

/** The models to choose from; the one in use is always among them. */
export function ModelChoice(props: {
  readonly value: string;
  readonly choose: (model: string) => void;
  readonly isOff?: boolean;
}): ReactNode {
  const { value, choose, isOff = false } = props;
  const may = useMay("admin");
  const { data } = useRead("models", {}, { isEnabled: may });
  const ids = [...new Set([value, ...(data?.models ?? []).map(({ id }) => id)])].filter((id) => id !== "");
  if (!may || ids.length === 0) return null;
  return (
    <label className="row small">
      <span className="muted">Model</span>
      <select value={value} disabled={isOff} onChange={({ target }) => choose(target.value)}>
        {value === "" && <option value="">Choose one</option>}
        {ids.map((id) => (
          <option key={id}>{id}</option>
        ))}
      </select>
    </label>
  );
}

/** Changes the model of an open chat. */
export function ChatModel({ id, model }: { readonly id: string; readonly model: string }): ReactNode {
  const change = useChange(
    (next: string) => api.setChatModel({ id }, { model: next }),
    ["chats", "chatContext"],
  );
  return (
    <>
      <ModelChoice value={model} choose={change.mutate} isOff={change.isPending} />
      {change.error !== null && (
        <span className="bad-text" role="alert">
          {change.error.message}
        </span>
      )}
    </>
  );
}

const KINDS: Readonly<Record<Context["parts"][number]["kind"], string>> = {
  prompt: "system prompt",
  tools: "tools",
  messages: "messages",
};

/** How full the model's window is; opens to what fills it. */
export function ContextMeter({ id }: { readonly id: string }): ReactNode {
  const { data } = useRead("chatContext", { id });
  if (data === undefined) return null;
  const { window: size, tokens, parts } = data;
  const share = Math.min(100, Math.round((100 * tokens) / size));
  const sizes = Map.groupBy(parts, ({ kind }) => kind);
  return (
    <details className="context">
      <summary className="small muted">
        <span
          className="meter"
          role="meter"
          aria-label="Context in use"
          aria-valuenow={share}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i className={share > 80 ? "full" : ""} style={{ width: `${share}%` }} />
        </span>
        {share} % of {shortCountOf(size)} tokens
      </summary>
      <dl className="small">
        {[...sizes].map(([kind, all]) => (
          <div key={kind} className="row spread">
            <dt>{KINDS[kind]}</dt>
            <dd>about {shortCountOf(all.reduce((sum, part) => sum + part.tokens, 0))}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Gives a chat another title. */
export function Rename({ id, title }: { readonly id: string; readonly title: string }): ReactNode {
  const [text, setText] = useState<string>();
  const rename = useChange(
    async (next: string) => {
      await api.renameSession({ id }, { title: next });
      setText(undefined);
    },
    ["session", "sessions"],
  );
  if (text === undefined)
    return (
      <Needs right="admin">
        <button type="button" className="button" onClick={() => setText(title)}>
          Rename
        </button>
      </Needs>
    );
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") rename.mutate(text);
      }}
    >
      <input
        autoFocus
        aria-label="Title"
        value={text}
        maxLength={120}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key }) => key === "Escape" && setText(undefined)}
      />
      <Action
        right="admin"
        look="compact primary"
        change={rename}
        onClick={() => text.trim() !== "" && rename.mutate(text)}
      >
        Save
      </Action>
      {rename.error !== null && (
        <span className="bad-text" role="alert">
          {rename.error.message}
        </span>
      )}
    </form>
  );
}
