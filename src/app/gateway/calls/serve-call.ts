import type { Server } from "@modelcontextprotocol/server";
import type { Fault } from "../../../core/result.ts";
import { provide, type Provided } from "../../../core/context.ts";
import { ResultReceiver, type GivenResult } from "../../../sources/mcp/tools/call-tool.ts";
import { ClientSampler, LogReceiver, StreamEnd } from "../../../sources/mcp/types/client-keys.ts";
import { withHint } from "../../../util/text/error-message.ts";
import { defined } from "../../../util/json/defined.ts";
import { copyJson } from "../../../util/json/copy-json.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import type {
  CallOutcome,
  Channel,
  ClientAnswer,
  ClientFace,
  ProtocolFault,
  Sdk,
} from "../types/gateway-types.ts";
import type { AskingRequest, CallRequest } from "./call-types.ts";
import { createReports } from "./reports.ts";
import { toClientResult } from "./client-result.ts";
import { ToolError } from "../../../core/errors.ts";

/** Returns a call as a request during which the client may be asked. */
export function asking(request: CallRequest): AskingRequest {
  const { session, name, input } = request;
  return { session, name, input, run: (channel) => serveCall(request, channel) };
}

/** Runs the tool of a request and reports to its channel meanwhile, whichever transport the channel is of. Never rejects. */
export async function serveCall(request: CallRequest, channel: Channel): Promise<CallOutcome> {
  const { session, name, input, context = [], isQueued = false, toOutcome } = request;
  const { controller, sample, endStream, traceparent } = channel;
  const ask = isQueued ? undefined : channel.ask;
  const reports = createReports(channel);
  const receiver = provide(LogReceiver, ({ level, logger, data }) =>
    reports.log(level, copyJson(data, undefined, session.mask), logger),
  );
  const provided: Provided[] = [...context, receiver];
  if (sample !== undefined) provided.push(provide(ClientSampler, sample));
  if (endStream !== undefined) provided.push(provide(StreamEnd, endStream));
  const answer = await session.call({
    name,
    input,
    client: request.client,
    context: provided,
    controller,
    traceparent,
    onProgress: reports.add,
    // Without progress a client hears nothing, and gives up soon.
    onWaiting: channel.progress && (() => reports.wait(session.mayApprove ? WAITING : WAITING_ELSEWHERE)),
    ask:
      ask &&
      ((question, signal) => {
        // The user sees the output so far before the question.
        reports.flush();
        return ask(question, signal);
      }),
  });
  reports.flush();
  return toOutcome(answer);
}

const WAITING = "waiting for approval";
const WAITING_ELSEWHERE =
  "waiting for approval in the console or with toolwright approve: the token of this client may not approve";

const INVALID_PARAMS = -32_602;

/** Returns the request of `tools/call`. Only an unknown tool is an error of the protocol; every other failure is the tool's result. */
export function toolRequest(
  session: ClientSession,
  { name, input }: Pick<CallRequest, "name" | "input">,
  server: Server,
): CallRequest {
  const { mask } = session;
  const face = { ...faceOf(server, session), hasOutput: session.hasOutput(name) };
  let rawResult: GivenResult | undefined;
  const receiver = provide(ResultReceiver, (one) => {
    rawResult = one;
  });
  return {
    session,
    name,
    input,
    context: [receiver],
    isQueued: face.approvals === "queue",
    client: server.getClientVersion()?.name,
    toOutcome: (answer) => notFound(answer) ?? { result: toClientResult(answer, rawResult, face, mask) },
  };
}

/** Aborts a controller with a signal, until the returned function is called. */
export function abortWith(controller: AbortController, signal: AbortSignal): () => void {
  const abort = (): void => controller.abort();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}

/** Returns the form in which the client of a server gets tools and results. */
export function faceOf(server: Server, session: ClientSession): ClientFace {
  return session.face(server.getClientVersion()?.name, server.getNegotiatedProtocolVersion());
}

/** Returns the error of the protocol for an unknown tool; undefined for any other answer. */
function notFound({ result }: ClientAnswer): CallOutcome | undefined {
  if (result.ok || result.error.code !== "TOOL_NOT_FOUND") return undefined;
  const { details: data } = result.error;
  return { error: { code: INVALID_PARAMS, message: withHint(result.error), ...defined({ data }) } };
}

const INTERNAL_ERROR = -32_603;

/** Converts a fault to an error of the protocol; one from an upstream server keeps its number. */
export function toProtocolFault(fault: Fault | ToolError): ProtocolFault {
  const { rpc_code: rpcCode } = fault.details ?? {};
  const code = typeof rpcCode === "number" ? rpcCode : INTERNAL_ERROR;
  return { code, message: withHint(fault), data: { code: fault.code } };
}

/** Returns a function for `catch` that throws a `ToolError` as an error of the protocol, and everything else unchanged. */
export function rethrowAsProtocol(sdk: Sdk): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, data } = toProtocolFault(error);
    throw new sdk.ProtocolError(code, message, data);
  };
}

/** Returns the result of an outcome, or throws its error. */
export function toResult(sdk: Sdk, outcome: CallOutcome): never {
  if ("result" in outcome) return outcome.result as never;
  const { code, message, data } = outcome.error;
  throw new sdk.ProtocolError(code, message, data);
}
