import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { useChange } from "../../../api/queries.ts";
import { Action } from "../../../ui/controls/action.tsx";
import { MayNot, Needs } from "../../../ui/controls/needs.tsx";
import { AttachButton, AttachmentList, useAttachments } from "./attachments.tsx";

interface ComposerProps {
  readonly id: string;
  /** The message at first. */
  readonly draft: string;
  readonly isBusy: boolean;
  /** A call of the agent waits for approval. */
  readonly isAsked: boolean;
  readonly onSent: () => void;
  readonly onFailed: () => void;
}

/** The box for the next message. While the agent works, a message waits for its next request. */
export function Composer(props: ComposerProps): ReactNode {
  const { id, isBusy } = props;
  const [text, setText] = useState(props.draft);
  const attached = useAttachments();
  const { attachments } = attached;
  const deliver = useChange(
    async (message: string) => {
      props.onSent();
      setText("");
      attached.clear();
      try {
        return await api.sendMessage({ id }, { text: message, attachments });
      } catch (error) {
        props.onFailed();
        // What was written meanwhile comes after it.
        setText((now) => (now === "" ? message : `${message}\n${now}`));
        attached.putBack(attachments);
        throw error;
      }
    },
    ["chats", "session"],
  );
  const isEmpty = text.trim() === "" && attachments.length === 0;
  const cancel = useChange(() => api.cancelChat({ id }), ["chats"]);
  const submit = (): void => {
    if (!isEmpty) deliver.mutate(text);
  };
  return (
    <form
      className="composer"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void attached.add([...event.dataTransfer.files]);
      }}
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
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length === 0) return;
          event.preventDefault();
          void attached.add(files);
        }}
        onKeyDown={(event) => {
          // The keys of an approval are for it then.
          if (event.key === "Escape") event.currentTarget.blur();
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      <AttachmentList attached={attached} />
      <MayNot right="admin" />
      <div className="row spread">
        <span className="small muted">
          <kbd>Enter</kbd> sends, <kbd>Shift+Enter</kbd> begins a line
          {props.isAsked && (
            <>
              ; <kbd>Esc</kbd>, then <kbd>a</kbd> approves, <kbd>d</kbd> denies
            </>
          )}
        </span>
        <span className="row">
          {isBusy && (
            <Action right="admin" look="danger" change={cancel} onClick={() => cancel.mutate(undefined)}>
              Stop
            </Action>
          )}
          <Needs right="admin">
            <AttachButton add={attached.add} />
            <button type="submit" className="button primary" disabled={isEmpty}>
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
