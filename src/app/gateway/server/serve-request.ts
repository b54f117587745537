import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../../core/json.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import { askThrough, canAsk, sampleThrough } from "../calls/approval-form.ts";
import { toResult, serveCall } from "../calls/serve-call.ts";
import type { CallOutcome, Channel } from "../types/gateway-types.ts";
import type { CallRequest, CallStep, CallTurn, ServeRequest, ServerPorts } from "../types/server-types.ts";

/**
 * Returns how a server serves its calls. A client with a handshake is asked during the request; one without receives the question as
 * the result, and the call continues with its next request.
 */
export function createServeRequest(server: Server, ports: ServerPorts): ServeRequest {
  const { sdk } = ports;
  return async (context, request) => {
    const { mcpReq } = context;
    if (mcpReq.envelope === undefined) {
      const { controller, stop } = follow(mcpReq.signal);
      const ask = canAsk(server.getClientCapabilities()) ? askThrough(server, mcpReq.id) : undefined;
      const sample = sampleThrough(server, mcpReq.id);
      const reports = reportsTo(server, ports, context);
      const outcome = await serveCall(request, { controller, ask, sample, ...reports });
      stop();
      return toResult(sdk, outcome);
    }
    const step = await nextStep(server, ports, context, request);
    if ("outcome" in step) return toResult(sdk, step.outcome);
    return sdk.inputRequired({
      inputRequests: { approval: sdk.inputRequired.elicit(step.form as never) },
      requestState: step.state,
    }) as never;
  };
}

/** Returns a controller that is aborted with the signal, until `stop` is called. */
function follow(signal: AbortSignal): { readonly controller: AbortController; readonly stop: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return { controller, stop: () => signal.removeEventListener("abort", abort) };
}

/** Starts a call, or resumes the one whose answer this request brings. */
function nextStep(
  server: Server,
  ports: ServerPorts,
  context: ServerContext,
  request: CallRequest,
): Promise<CallStep<CallOutcome>> {
  const { sdk, resumable } = ports;
  const { mcpReq } = context;
  const envelope = mcpReq.envelope as JsonObject;
  const { session, name, input } = request;
  const turn: CallTurn = {
    signal: mcpReq.signal,
    channel: reportsTo(server, ports, context),
    fingerprint: hashOf([session.id, mcpReq.method, name, input]),
  };
  const state = mcpReq.requestState<string>();
  if (state === undefined) {
    const mayAsk = canAsk(envelope[sdk.CLIENT_CAPABILITIES_META_KEY] as never);
    return resumable.start(turn, ({ ask, ...channel }) =>
      serveCall(request, { ...channel, ask: mayAsk ? ask : undefined }),
    );
  }
  const response = sdk.inputResponse(mcpReq.inputResponses, "approval");
  const resumed = resumable.resume(turn, state, response.kind === "elicit" ? response : undefined);
  if (resumed !== undefined) return resumed;
  throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
    reason: "invalid_request_state",
  });
}

function reportsTo(
  server: Server,
  { level }: ServerPorts,
  { mcpReq }: ServerContext,
): Pick<Channel, "progress" | "log" | "level"> {
  const { id, envelope, _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  const ignoreFailure = (sent: Promise<void>): void => void sent.catch(() => undefined);
  return {
    // A request with an envelope has its own level, which the SDK applies.
    level: envelope === undefined ? level : { current: "debug" },
    progress:
      progressToken === undefined
        ? undefined
        : (progress) => {
            const params = { progressToken, ...progress };
            ignoreFailure(mcpReq.notify({ method: "notifications/progress", params }));
          },
    log(at, data, logger = "tool") {
      if (envelope !== undefined) return ignoreFailure(mcpReq.log(at, data, logger));
      const params = { level: at, logger, data };
      const message = { method: "notifications/message", params } as const;
      return ignoreFailure(server.notification(message, { relatedRequestId: id }));
    },
  };
}
