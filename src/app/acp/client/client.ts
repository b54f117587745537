import type { AgentContext, ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk";

/** The client of one session. */
export type Client = ReturnType<typeof createClient>;

export interface ClientOptions {
  readonly context: AgentContext;
  readonly capabilities: ClientCapabilities;
  /** Returns the session's id, which is known once the session is open. */
  readonly sessionId: () => string;
  readonly log: (line: string) => void;
}

/** Creates the view that a session has of its client. */
export function createClient({ context, capabilities, sessionId, log }: ClientOptions) {
  /** Sends an update, after all earlier ones. Never throws: a client that is gone gets nothing. */
  const update = (one: SessionUpdate): void =>
    void context.notify("session/update", { sessionId: sessionId(), update: one }).catch(() => undefined);
  const showsNotices = (capabilities.session?.notices ?? undefined) !== undefined;
  return {
    context,
    capabilities,
    get sessionId() {
      return sessionId();
    },
    update,
    showsNotices,
    /** Shows a text that is neither the model's nor a call's; a client that cannot show it has it in its log. */
    notice: (severity: "info" | "warning" | "error", title: string): void =>
      showsNotices
        ? update({ sessionUpdate: "notice", severity, title })
        : log(`toolwright: ${severity}: ${title}`),
  };
}
