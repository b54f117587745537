import { useState } from "react";
import { useEvents } from "../../api/events.ts";
import { keyOf } from "../../api/operations.ts";
import { queries } from "../../api/queries.ts";

/** A message of the agent that is still being written. */
export interface DraftMessage {
  readonly id: number;
  readonly text: string;
  readonly reasoning: string;
  /** It is stored: the conversation will have it when it is read again. */
  readonly isStored: boolean;
}

export interface LiveSession {
  readonly drafts: readonly DraftMessage[];
  /** True from a sent message to the end of the task. */
  readonly isBusy: boolean;
  /** How the last task ended, unless it was answered. */
  readonly outcome: string | undefined;
  /** What a request of the task lacked. */
  readonly notice: string | undefined;
  readonly sent: () => void;
}

/** Follows the events of one session: text as it is written, and stored messages, which are read again. */
export function useLiveSession(session: string): LiveSession {
  const [drafts, setDrafts] = useState<readonly DraftMessage[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const readAgain = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: keyOf("session", { id: session }) });
    setDrafts((all) => all.filter(({ isStored }) => !isStored));
  };
  useEvents((event) => {
    if (!("session" in event) || event.session !== session) return;
    if (event.type === "model.text") setDrafts((all) => extend(all, { text: event.text }));
    if (event.type === "model.reasoning") setDrafts((all) => extend(all, { reasoning: event.text }));
    if (event.type === "message.added") {
      if (event.message.role === "assistant")
        setDrafts((all) => all.map((one) => ({ ...one, isStored: true })));
      void readAgain();
    }
    if (event.type === "call.started" || event.type === "call.answered") void readAgain();
    if (event.type === "tools.late")
      setNotice(`Still loading, the request is without their tools: ${event.sources.join(", ")}`);
    if (event.type === "chat.ended") {
      setBusy(false);
      setOutcome(describeOutcome(event.outcome));
      void readAgain();
    }
  });
  return {
    drafts,
    isBusy,
    outcome,
    notice,
    sent: () => {
      setBusy(true);
      setNotice(undefined);
      setOutcome(undefined);
    },
  };
}

/** Adds to the message that is being written, or begins one. */
function extend(
  all: readonly DraftMessage[],
  { text = "", reasoning = "" }: { readonly text?: string; readonly reasoning?: string },
): readonly DraftMessage[] {
  const last = all.at(-1);
  if (last === undefined || last.isStored)
    return [...all, { id: (last?.id ?? 0) + 1, text, reasoning, isStored: false }];
  return [...all.slice(0, -1), { ...last, text: last.text + text, reasoning: last.reasoning + reasoning }];
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
