import type { ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { Action } from "../../ui/controls/action.tsx";

/** The fleet as the server knows it. */
export type Fleet = AnswerOf<"fleet">;
export type Worker = Fleet["workers"][number];
export type DeadLetter = Fleet["dead"][number];

/** The button that drains a worker. */
export function Drain({ worker: { id, state } }: { readonly worker: Worker }): ReactNode {
  const drain = useChange(() => api.drainWorker({ id }), ["fleet"]);
  return (
    <>
      <Action
        right="admin"
        look="compact"
        label={`Drain ${id}`}
        isOff={state === "draining" || drain.isSuccess}
        change={drain}
        question="It ends when its calls are done."
        onClick={() => drain.mutate(undefined)}
      >
        {drain.isPending ? "…" : "Drain"}
      </Action>
      {drain.error !== null && <span role="alert">{drain.error.message}</span>}
    </>
  );
}

/** The button that removes a dead letter. */
export function Dismiss({ letter: { key } }: { readonly letter: DeadLetter }): ReactNode {
  const dismiss = useChange(() => api.removeDead({ key }), ["fleet"]);
  return (
    <>
      <Action
        right="admin"
        look="compact"
        label={`Dismiss ${key}`}
        change={dismiss}
        question="Remove it? Its call does not run."
        onClick={() => dismiss.mutate(undefined)}
      >
        Dismiss
      </Action>
      {dismiss.error !== null && <span role="alert">{dismiss.error.message}</span>}
    </>
  );
}

/** The button that sends a dead letter again. */
export function Retry({ letter: { key, mayHaveRun } }: { readonly letter: DeadLetter }): ReactNode {
  const retry = useChange(() => api.retryDead({ key }), ["fleet", "calls"]);
  const failed = retry.data?.ok === false ? retry.data.error : retry.error;
  return (
    <>
      <Action
        right="admin"
        look="compact"
        label={`Retry ${key}`}
        change={retry}
        {...(mayHaveRun && { question: "It may have had effects. Run it again?" })}
        onClick={() => retry.mutate(undefined)}
      >
        {retry.isPending ? "…" : "Retry"}
      </Action>
      {failed !== null && <span role="alert">{failed.message}</span>}
    </>
  );
}
