import type { Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../../core/json.ts";
import { askThrough, canAsk, sampleThrough } from "../calls/approval-form.ts";
import { readCallParams } from "../calls/read-request.ts";
import { serveCall, toolRequest } from "../calls/serve-call.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import type { Channel, LogLevel } from "../types/gateway-types.ts";
import { INVALID_REQUEST } from "../calls/check-message.ts";

/** Serves calls without the SDK's server, which costs more than most calls. */
export type StdioCalls = ReturnType<typeof createStdioCalls>;

/** Serves the calls of the client on standard input, each over a channel of plain JSON-RPC messages. `server` asks the client. */
export function createStdioCalls(
  session: ClientSession,
  server: Server,
  send: (message: JsonObject) => Promise<void>,
  level: LogLevel,
) {
  const running = new Map<unknown, AbortController>();
  const notify = (method: string, params: JsonObject): void => void send({ jsonrpc: "2.0", method, params });
  const log: Channel["log"] = (at, data, logger = "tool") =>
    notify("notifications/message", { level: at, logger, data });
  return {
    /** Sends the answer when the call is done; returns false if the request is malformed, for the SDK's server to refuse. */
    serve(id: string | number, params: JsonObject): boolean {
      const call = readCallParams(params);
      if (call === undefined) return false;
      if (running.has(id)) {
        const message = `a request with the id ${JSON.stringify(id)} is running`;
        void send({ jsonrpc: "2.0", id, error: { code: INVALID_REQUEST, message } });
        return true;
      }
      const controller = new AbortController();
      running.set(id, controller);
      const { progressToken, traceparent } = call;
      void serveCall(toolRequest(session, call, server), {
        controller,
        traceparent,
        log,
        level,
        sample: sampleThrough(server, id),
        ask: canAsk(server.getClientCapabilities()) ? askThrough(server, id) : undefined,
        progress:
          progressToken === undefined
            ? undefined
            : (progress) => notify("notifications/progress", { progressToken, ...progress }),
      }).then((outcome) => {
        // A request that its client has cancelled has no answer.
        if (running.get(id) !== controller) return undefined;
        running.delete(id);
        return send({ jsonrpc: "2.0", id, ...outcome } as JsonObject);
      });
      return true;
    },
    /** Returns false if no such call is running. */
    cancel(id: unknown): boolean {
      const controller = running.get(id);
      running.delete(id);
      controller?.abort();
      return controller !== undefined;
    },
  };
}
