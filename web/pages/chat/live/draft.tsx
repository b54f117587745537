import type { ReactNode } from "react";
import { Reasoning } from "../messages/conversation.tsx";
import type { DraftMessage } from "./drafts.ts";
import { Prose } from "../messages/prose.tsx";

/** A message of the agent while it is being written. */
export function Draft({ draft }: { readonly draft: DraftMessage }): ReactNode {
  return (
    <article className="message agent" aria-label="Agent" aria-busy>
      <h2 className="small muted">Agent</h2>
      <Reasoning text={draft.reasoning} />
      <Prose text={draft.text} />
    </article>
  );
}
