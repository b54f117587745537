import type { Outcome } from "../../agent/runtime/outcome.ts";
import { createSerializer } from "../../util/async/serialize.ts";
import { toFault } from "../../util/json/fault.ts";
import type { ReplSession } from "./state/session.ts";
import { attachFiles, hasReferences } from "./typed/attach-files.ts";

interface Sent {
  readonly outcome: Outcome;
  /** False if a file could not be attached: then nothing was sent. */
  readonly isSent: boolean;
}

/**
 * Sends the messages of the person, in order: the files they name and what happened since the last message go with them. `report` is
 * called with a line about references to no file; `isTyped` as in `TypedOptions`.
 */
export function createOutbox(report: (line: string) => void, { isTyped }: { readonly isTyped: boolean }) {
  const inOrder = createSerializer();
  let notes: readonly string[] = [];
  return {
    /** Adds a text for the model to the next message. */
    note: (text: string): void => void (notes = [...notes, text]),
    /** Sends a text that the person wrote, or one of a command, such as the prompt of a server, which attaches no file. Never rejects. */
    async send(
      session: ReplSession,
      text: string,
      { isOfCommand = false }: { readonly isOfCommand?: boolean } = {},
    ): Promise<Sent> {
      try {
        // Messages are sent in turn; their outcomes are not awaited in turn.
        const { sent } = await inOrder(async () => {
          const { content, missing } =
            hasReferences(text) && !isOfCommand
              ? await attachFiles(text, { session, isTyped })
              : { content: [], missing: [] };
          if (missing.length > 0) report(`no such file, sent as text: ${missing.join(", ")}`);
          const noted = notes.map((note) => ({ type: "text", text: note }) as const);
          notes = [];
          return { sent: session.agent.send([{ type: "text", text }, ...content, ...noted]) };
        });
        return { outcome: await sent, isSent: true };
      } catch (error) {
        return { outcome: { kind: "failed", fault: toFault(error) }, isSent: false };
      }
    },
  };
}
