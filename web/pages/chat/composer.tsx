import { useState, type ReactNode } from "react";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { Action, MayNot, Needs } from "../../ui/index.ts";

interface ComposerProps {
  readonly id: string;
  readonly isBusy: boolean;
  readonly onSent: () => void;
}

/** The box for the next message. While the agent works, a message waits for its next request. */
export function Composer(props: ComposerProps): ReactNode {
  const { id, isBusy } = props;
  const [text, setText] = useState("");
  const deliver = useChange(
    async (message: string) => {
      props.onSent();
      setText("");
      const sent = await api.sendMessage({ id }, { text: message });
      return sent;
    },
    ["chats", "session"],
  );
  const cancel = useChange(() => api.cancelChat({ id }), ["chats"]);
  const submit = (): void => {
    if (text.trim() !== "") deliver.mutate(text);
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        autoFocus
        rows={Math.min(8, text.split("\n").length + 1)}
        value={text}
        aria-label="Message"
        placeholder={isBusy ? "The agent works; this message is read next" : "Write to the agent"}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      <MayNot right="admin" />
      <div className="row spread">
        <span className="small muted">
          <kbd>Enter</kbd> sends, <kbd>Shift+Enter</kbd> begins a line
        </span>
        <span className="row">
          {isBusy && (
            <Action right="admin" look="danger" change={cancel} onClick={() => cancel.mutate(undefined)}>
              Stop
            </Action>
          )}
          <Needs right="admin">
            <button type="submit" className="button primary" disabled={text.trim() === ""}>
              Send
            </button>
          </Needs>
        </span>
      </div>
      {deliver.error !== null && (
        <p className="bad-text" role="alert">
          Not sent: {deliver.error.message}
        </p>
      )}
    </form>
  );
}
