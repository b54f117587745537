import type { ClientCapabilities, Server, ServerContext } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../../core/json.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import { askThrough, canAsk, sampleThrough } from "../calls/approval-form.ts";
import { abortWith, toResult } from "../calls/serve-call.ts";
import type { CallOutcome, Channel, Sdk } from "../types/gateway-types.ts";
import type {
  AskingRequest,
  CallStep,
  CallTurn,
  ClientReply,
  ServeRequest,
  ServerPorts,
} from "../calls/call-types.ts";

/**
 * Returns how a server serves requests during which it may ask. A client with a handshake is asked during the request; one without receives the question as
 * the result, and the call continues with its next request.
 */
export function createServeRequest(server: Server, ports: ServerPorts): ServeRequest {
  const { sdk } = ports;
  return async (context, request) => {
    const { mcpReq } = context;
    if (mcpReq.envelope === undefined) {
      const controller = new AbortController();
      const stop = abortWith(controller, mcpReq.signal);
      const ask = canAsk(server.getClientCapabilities()) ? askThrough(server, mcpReq.id) : undefined;
      const sample = sampleThrough(server, mcpReq.id);
      const reports = reportsTo(server, ports, context);
      const endStream = context.http?.closeSSE;
      const outcome = await request.run({ controller, ask, sample, endStream, ...reports });
      stop();
      return toResult(sdk, outcome);
    }
    const step = await nextStep(server, ports, context, request);
    if ("outcome" in step) return toResult(sdk, step.outcome);
    const { inputRequired } = sdk;
    const inputRequests =
      "form" in step
        ? { approval: inputRequired.elicit(step.form as never) }
        : { sampling: inputRequired.createMessage(step.sample as never) };
    return inputRequired({ inputRequests, requestState: step.state }) as never;
  };
}

/** Starts a call, or resumes the one whose answer this request brings. */
function nextStep(
  server: Server,
  ports: ServerPorts,
  context: ServerContext,
  request: AskingRequest,
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
    const capabilities = envelope[sdk.CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
    return resumable.start(turn, ({ ask, sample, ...channel }) =>
      request.run({
        ...channel,
        ask: canAsk(capabilities) ? ask : undefined,
        sample: capabilities?.sampling === undefined ? undefined : sample,
      }),
    );
  }
  const resumed = resumable.resume(turn, state, replyOf(sdk, mcpReq.inputResponses));
  if (resumed !== undefined) return resumed;
  throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
    reason: "invalid_request_state",
  });
}

/** Returns the answer that a request brings; undefined if it brings none. */
function replyOf(sdk: Sdk, responses: ServerContext["mcpReq"]["inputResponses"]): ClientReply | undefined {
  const approval = sdk.inputResponse(responses, "approval");
  if (approval.kind === "elicit") return approval;
  const sampling = sdk.inputResponse(responses, "sampling");
  return sampling.kind === "sampling" ? { sampled: sampling.result as unknown as JsonObject } : undefined;
}

function reportsTo(
  server: Server,
  { level }: ServerPorts,
  { mcpReq }: ServerContext,
): Pick<Channel, "progress" | "log" | "level" | "traceparent"> {
  const { id, envelope, _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  const ignoreFailure = (sent: Promise<void>): void => void sent.catch(() => undefined);
  return {
    traceparent: meta?.["traceparent"],
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
