import type { ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import { readCallKey } from "../../../src/util/text/call-key.ts";
import { Action, Failed, linkTo, Outcome, type Call } from "../../ui/index.ts";

type Approval =
  | { readonly approved: true; readonly scope: string }
  | { readonly approved: false; readonly reason: string };

interface AnsweredProps {
  /** The answer that was given on this page; absent if it was given elsewhere or the caller left. */
  readonly approval: Approval | undefined;
  readonly call: Call | undefined;
  readonly callId: string;
  /** Removes what the answer saved. */
  readonly undo: Undo;
}

/** What an approval saved, until it is removed. */
export interface Undo {
  readonly saved: readonly { readonly id: string; readonly text: string }[];
  readonly revoke: {
    readonly isPending: boolean;
    readonly isSuccess: boolean;
    readonly error: Error | null;
    readonly mutate: (id: string) => void;
  };
}

/** The outcome of an approval that no longer waits, in place of its buttons. */
export function Answered({ approval, call, callId, undo }: AnsweredProps): ReactNode {
  return (
    <div className="answered stack" role="status">
      <p>
        <strong>{approval === undefined ? <Elsewhere callId={callId} /> : textOf(approval)}</strong>{" "}
        {call !== undefined && (
          <a href={linkTo("calls", callId)}>
            The call: <Outcome call={call} />
          </a>
        )}
      </p>
      {approval?.approved === true && approval.scope !== "once" && <UndoSaved {...undo} />}
    </div>
  );
}

/** Names who answered first, once the call has its answer. */
function Elsewhere({ callId }: { readonly callId: string }): ReactNode {
  const { callId: id = callId, receivedAt: at } = readCallKey(callId) ?? {};
  const { data } = useRead("call", { callId: id, ...(at !== undefined && { at }) });
  const { approved = null, by } = data?.approval ?? {};
  if (approved === null) return "It no longer waits: it was answered elsewhere, or its caller left.";
  return `It no longer waits: ${approved ? "approved" : "denied"} by ${by ?? "another person"}.`;
}

function textOf(approval: Approval): string {
  if (approval.approved)
    return approval.scope === "once"
      ? "Approved here, once."
      : "Approved here, and calls like it from now on.";
  return approval.reason === "" ? "Denied here." : `Denied here: ${approval.reason}`;
}

/** Removes the rule that an approval saved; the call that was approved has run. */
function UndoSaved({ saved, revoke }: Undo): ReactNode {
  if (revoke.isSuccess) return <p className="muted">The saved rule was removed.</p>;
  return (
    <>
      {saved.map(({ id, text }) => (
        <p className="row" key={id}>
          <span>
            Saved: <code>{text}</code>
          </span>
          <Action right="approve" look="compact" change={revoke} onClick={() => revoke.mutate(id)}>
            Undo
          </Action>
        </p>
      ))}
      {revoke.error !== null && <Failed error={revoke.error} />}
    </>
  );
}
