import { useCallback, useEffect, useState } from "react";
import { read } from "../../../api/client.ts";
import { isCut, useEvents } from "../../../api/events.ts";
import { keyOf } from "../../../api/operations.ts";
import { queries } from "../../../api/queries.ts";
import {
  addPiece,
  currentOf,
  dropComplete,
  endDraft,
  NO_DRAFTS,
  takeBase,
  type DraftMessage,
  type ServerDraft,
} from "./drafts.ts";

export interface LiveSession {
  /** The messages of the agent that the stored conversation may not have yet; the last may still be written. */
  readonly drafts: readonly DraftMessage[];
  /** True from a sent message to the end of the task. */
  readonly isBusy: boolean;
  /** How the last task ended, unless it was answered. */
  readonly outcome: string | undefined;
  /** What a request of the task lacked. */
  readonly notice: string | undefined;
  readonly sent: () => void;
  /** The message was not sent. */
  readonly notSent: () => void;
}

/** Follows the events of one session: text as it is written, and stored messages, which are read again. A component follows one session for as long as it lives. */
export function useLiveSession(session: string): LiveSession {
  const [drafts, setDrafts] = useState(NO_DRAFTS);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const takeDraft = useCallback((draft: ServerDraft | undefined): void => {
    if (draft !== undefined) setDrafts((now) => takeBase(now, draft));
  }, []);
  useEffect(() => void draftOf(session).then(takeDraft), [session, takeDraft]);
  const readAgain = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: keyOf("session", { id: session }) });
    setDrafts(dropComplete);
  };
  useEvents((event, id) => {
    if (event.type === "stream.opened" && !event.isComplete) {
      setDrafts(NO_DRAFTS);
      void draftOf(session).then(takeDraft);
    }
    if (!("session" in event) || event.session !== session) return;
    if (event.type === "model.text")
      setDrafts((now) => addPiece(now, { id, text: event.text, reasoning: "" }));
    if (event.type === "model.reasoning")
      setDrafts((now) => addPiece(now, { id, text: "", reasoning: event.text }));
    if (event.type === "model.retried") setDrafts((now) => endDraft(now, id, { isStored: false }));
    if (event.type === "message.added") {
      // A message of a person, with an image in it, is cut more often; it comes while the agent writes nothing.
      if (isCut(event) || event.message.role === "assistant")
        setDrafts((now) => endDraft(now, id, { isStored: true }));
      void readAgain();
    }
    if (event.type === "call.started" || event.type === "call.answered") void readAgain();
    if (event.type === "tools.late")
      setNotice(`Still loading, the request is without their tools: ${event.sources.join(", ")}`);
    if (event.type === "chat.ended") {
      setBusy(false);
      // Only an answer is that long.
      setOutcome(isCut(event) ? undefined : describeOutcome(event.outcome));
      void readAgain();
    }
  });
  const current = currentOf(drafts);
  return {
    drafts: current === undefined ? drafts.complete : [...drafts.complete, current],
    isBusy,
    outcome,
    notice,
    sent: () => {
      setBusy(true);
      setNotice(undefined);
      setOutcome(undefined);
    },
    notSent: () => setBusy(false),
  };
}

/** Returns what the server has of the message under way; undefined if the conversation is not open. Never rejects. */
async function draftOf(session: string): Promise<ServerDraft | undefined> {
  const chat = await read("chat", { id: session }).catch(() => undefined);
  return chat?.draft;
}

type TaskOutcome =
  | { readonly kind: "answered" }
  | { readonly kind: "stopped"; readonly detail: string }
  | { readonly kind: "failed"; readonly fault: { readonly message: string; readonly hint?: string } };

function describeOutcome(outcome: TaskOutcome): string | undefined {
  if (outcome.kind === "stopped") return `Stopped: ${outcome.detail}`;
  if (outcome.kind !== "failed") return undefined;
  const { message, hint } = outcome.fault;
  return `Failed: ${message}${hint === undefined ? "" : ` (${hint})`}`;
}
