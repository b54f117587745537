import type { ReactNode } from "react";
import { callKey } from "../../../../src/util/text/call-key.ts";
import { Action } from "../../../ui/controls/action.tsx";
import { Failed } from "../../../ui/layout/states.tsx";
import { linkTo } from "../../../ui/address/hooks.ts";
import { Outcome, type Call } from "../../../ui/values/call-bits.tsx";
import type { TracedAnswer } from "./pending.ts";

type Approval =
  | { readonly approved: true; readonly scope: string }
  | { readonly approved: false; readonly reason: string };

interface AnsweredProps {
  /** The answer that was given on this page; absent if it was given elsewhere or the caller left. */
  readonly approval: Approval | undefined;
  /** The call that waited; undefined until it is known. */
  readonly call: Call | undefined;
  /** The answer that the call has. */
  readonly traced: TracedAnswer | undefined;
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
export function Answered({ approval, call, traced, undo }: AnsweredProps): ReactNode {
  return (
    <div className="answered stack" role="status">
      <p>
        <strong>{approval === undefined ? elsewhereOf(traced) : textOf(approval)}</strong>{" "}
        {call !== undefined && (
          <a href={linkTo("calls", callKey(call))}>
            The call: <Outcome call={call} />
          </a>
        )}
      </p>
      {approval?.approved === true && approval.scope !== "once" && <UndoSaved {...undo} />}
    </div>
  );
}

/** Names who answered first, once the call has its answer. */
function elsewhereOf(traced: TracedAnswer | undefined): string {
  if (traced === undefined) return "It no longer waits: it was answered elsewhere, or its caller left.";
  return `It no longer waits: ${traced.approved ? "approved" : "denied"} by ${traced.by ?? "another person"}.`;
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
