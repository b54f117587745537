import type { Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { callTool } from "../clients/call-tool.ts";
import type { ClientSession } from "../clients/client-session.ts";
import { askThrough, canAsk } from "../clients/ask-client.ts";
import type { Level } from "../clients/gateway.ts";
import { createLogTeller } from "../notify/log-teller.ts";
import { createProgressTeller } from "../notify/progress.ts";
import { knowsLinks } from "../clients/server-facts.ts";
import type { DirectCalls } from "./stdio-wire.ts";
import { isTold, logProgress } from "../notify/tell-client.ts";

export interface DirectCallsOptions {
  readonly session: ClientSession;
  /** For what is asked of the client in between. */
  readonly server: Server;
  readonly send: (message: JsonObject) => Promise<void>;
  readonly level: { readonly current: Level };
}

/**
 * Calls of a client on standard input, answered without the way through the protocol's server, which costs more than most calls.
 * What is out of form is left to that server, which says what is wrong with it.
 */
export function createDirectCalls({ session, server, send, level }: DirectCallsOptions): DirectCalls {
  const running = new Map<unknown, AbortController>();
  const notify = (method: string, params: JsonObject): void => void send({ jsonrpc: "2.0", method, params });
  const logs = createLogTeller((at, data) =>
    notify("notifications/message", { level: at, logger: "tool", data }),
  );
  const log = (at: Level, data: string): void => {
    if (isTold(at, level.current)) logs.tell(at, data);
  };
  return {
    take({ id, params }) {
      const { name, arguments: input = {}, _meta: meta = {} } = params;
      if (typeof name !== "string" || !isObject(input) || !isObject(meta)) return false;
      const controller = new AbortController();
      running.set(id, controller);
      const { progressToken } = meta;
      const teller =
        progressToken === undefined
          ? undefined
          : createProgressTeller((told) => notify("notifications/progress", { progressToken, ...told }));
      const hear = (progress: Parameters<typeof logProgress>[0]): void => {
        teller?.tell(progress);
        logProgress(progress, log);
      };
      const ask = canAsk(server.getClientCapabilities()) ? { ask: askThrough(server, id) } : {};
      const call = { name, input, ending: controller, hear, ...ask };
      void callTool(session, call, knowsLinks(server.getNegotiatedProtocolVersion())).then((outcome) => {
        running.delete(id);
        teller?.end();
        logs.flush();
        // Nobody waits for the answer to a call that was cancelled.
        return controller.signal.aborted ? undefined : send({ jsonrpc: "2.0", id, ...outcome } as JsonObject);
      });
      return true;
    },
    cancel(id) {
      const controller = running.get(id);
      controller?.abort();
      return controller !== undefined;
    },
  };
}
