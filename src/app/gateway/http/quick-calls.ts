import type { AskClient } from "../types/public-types.ts";
import type { Server } from "@modelcontextprotocol/server";
import { isObject } from "../../../core/json.ts";
import { askThrough, canAsk, sampleThrough } from "../calls/approval-form.ts";
import { cancelledBy, isId, readCallParams } from "../calls/read-request.ts";
import { serveCall, toolRequest } from "../calls/serve-call.ts";
import { HANDSHAKE_VERSIONS } from "../server/server-info.ts";
import type { StartedCall } from "../calls/call-types.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import type { Channel, LogLevel } from "../types/gateway-types.ts";

/** The time limit for a plain response: unlike a stream, it cannot be resumed after the connection breaks. */
const QUICK_MS = 25;

interface Started extends StartedCall {
  /** Called when the request has a stream, over which the client can be asked. */
  readonly onStream: (endStream: Channel["endStream"]) => void;
}

/** Serves calls over HTTP that end before a stream for them would be open: their answer is one plain response. */
export function createQuickCalls(session: ClientSession, server: Server, level: LogLevel) {
  const slow = new Map<unknown, Started>();
  /** Calls whose requests the SDK's server has not received. */
  const running = new Map<unknown, AbortController>();
  const log: Channel["log"] = (at, data, logger = "tool") => {
    const params = { level: at, logger, data };
    void server.notification({ method: "notifications/message", params }).catch(() => undefined);
  };
  return {
    /** Returns the answer; undefined if the request must go to the SDK's server, where a call that was started continues. */
    async take(request: Request, message: unknown): Promise<Response | undefined> {
      running.get(cancelledBy(message))?.abort();
      const call = parseQuickCall(request, message);
      if (call === undefined) return undefined;
      const { id } = call;
      const controller = new AbortController();
      running.set(id, controller);
      const needed = Promise.withResolvers<void>();
      const stream = Promise.withResolvers<Channel["endStream"]>();
      const opened = (): Promise<Channel["endStream"]> => {
        needed.resolve();
        return stream.promise;
      };
      const askOnStream: AskClient = async (question, signal) => {
        await opened();
        return askThrough(server, id)(question, signal);
      };
      const sampler = sampleThrough(server, id);
      const sample: Channel["sample"] =
        sampler &&
        (async (asked, signal) => {
          await opened();
          return sampler(asked, signal);
        });
      const ask = canAsk(server.getClientCapabilities()) ? askOnStream : undefined;
      const outcome = serveCall(toolRequest(session, call, server), {
        controller,
        traceparent: call.traceparent,
        ask,
        sample,
        endStream: () => void opened().then((endStream) => endStream?.()),
        log,
        level,
      });
      const timer = setTimeout(needed.resolve, QUICK_MS);
      const quick = await Promise.race([outcome, needed.promise]);
      clearTimeout(timer);
      running.delete(id);
      if (quick !== undefined && "result" in quick)
        return Response.json({ jsonrpc: "2.0", id, result: quick.result });
      slow.set(id, { outcome, controller, onStream: stream.resolve });
      return undefined;
    },
    /** Returns the call that was started for a request, once; `endStream` ends the request's stream. */
    started(id: unknown, endStream: Channel["endStream"]): StartedCall | undefined {
      const slowCall = slow.get(id);
      slow.delete(id);
      slowCall?.onStream(endStream);
      return slowCall;
    },
  };
}

/** Accepts a valid call without progress from a client that accepts a plain response; the rest is for the SDK's server. */
function parseQuickCall({ headers }: Request, message: unknown) {
  const { jsonrpc, id, method, params } = isObject(message) ? message : {};
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isId(id) || !acceptsPlainResponse(headers))
    return undefined;
  const call = readCallParams(params);
  return call === undefined || call.progressToken !== undefined ? undefined : { ...call, id };
}

function acceptsPlainResponse(headers: Headers): boolean {
  const accepted = headers.get("accept") ?? "";
  const version = headers.get("mcp-protocol-version");
  const isKnown = version === null || HANDSHAKE_VERSIONS.some((one) => one === version);
  return isKnown && accepted.includes("application/json") && accepted.includes("text/event-stream");
}
