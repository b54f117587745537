import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import type { AskClient } from "../clients/approvals.ts";
import { askThrough, canAsk } from "../clients/ask-client.ts";
import type { CallOutcome } from "../clients/call-tool.ts";
import type { ClientCall, ClientSession } from "../clients/client-session.ts";
import { createLogTeller } from "../notify/log-teller.ts";
import { createProgressTeller } from "../notify/progress.ts";
import type { Level } from "../clients/gateway.ts";
import type { Round, RoundLeg, Rounds } from "../clients/rounds.ts";
import type { Sdk, ServerPorts } from "./server-ports.ts";
import { isTold, logProgress } from "../notify/tell-client.ts";

/** A request of a client that needs a call to be run. */
export interface CallRequest {
  readonly session: ClientSession;
  readonly context: ServerContext;
  /** What makes it this call and no other. */
  readonly identity: readonly Json[];
  readonly run: RunCall;
}

export type RunCall = (how: Pick<ClientCall, "ending" | "hear" | "ask">) => Promise<CallOutcome>;

/**
 * Runs a call for a request and gives its result, or throws an error of the protocol. A client that can be asked is asked in between;
 * one that comes back with answers gets a question for its result, and the call goes on with its next request.
 */
export async function runRequest(
  sdk: Sdk,
  server: Server,
  ports: ServerPorts,
  { session, context, identity, run }: CallRequest,
): Promise<never> {
  const teller = tellerFor(server, ports, context);
  const { signal } = context.mcpReq;
  const envelope = context.mcpReq.envelope as JsonObject | undefined;
  if (envelope === undefined) {
    const ask = canAsk(server.getClientCapabilities()) ? { ask: askThrough(server, context.mcpReq.id) } : {};
    const ending = following(signal);
    const outcome = await run({ ending: ending.controller, hear: teller.hear, ...ask });
    ending.stop();
    teller.end();
    return toResult(sdk, outcome);
  }
  const leg = { signal, hear: teller.hear, fingerprint: hashOf([session.id, ...identity]) };
  const round = await roundOf(sdk, ports.rounds, leg, { context, envelope, run });
  teller.end();
  if ("outcome" in round) return toResult(sdk, round.outcome);
  const { form, state } = round;
  return sdk.inputRequired({
    inputRequests: { approval: sdk.inputRequired.elicit(form as never) },
    requestState: state,
  }) as never;
}

/** One that is aborted with the signal, until it is told to stop. */
function following(signal: AbortSignal): { readonly controller: AbortController; readonly stop: () => void } {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  return { controller, stop: () => signal.removeEventListener("abort", end) };
}

/** Begins a call, or goes on with the one that this request brings the answer for. */
function roundOf(
  sdk: Sdk,
  rounds: Rounds<CallOutcome>,
  leg: RoundLeg,
  call: { readonly context: ServerContext; readonly envelope: JsonObject; readonly run: RunCall },
): Promise<Round<CallOutcome>> {
  const { context, envelope, run } = call;
  const state = context.mcpReq.requestState<string>();
  if (state === undefined) {
    const mayAsk = canAsk(envelope[sdk.CLIENT_CAPABILITIES_META_KEY] as never);
    const given = (ask: AskClient): Pick<ClientCall, "ask"> => (mayAsk ? { ask } : {});
    return rounds.begin(leg, (ask, signal, hear) =>
      run({ ending: following(signal).controller, hear, ...given(ask) }),
    );
  }
  const response = sdk.inputResponse(context.mcpReq.inputResponses, "approval");
  const resumed = rounds.resume(leg, state, response.kind === "elicit" ? response : undefined);
  if (resumed !== undefined) return resumed;
  throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
    reason: "invalid_request_state",
  });
}

function tellerFor(
  server: Server,
  { level }: ServerPorts,
  { mcpReq }: ServerContext,
): { readonly hear: NonNullable<ClientCall["hear"]>; readonly end: () => void } {
  const token = mcpReq._meta?.progressToken;
  const quietly = (sent: Promise<void>): void => void sent.catch(() => undefined);
  const teller =
    token === undefined
      ? undefined
      : createProgressTeller((told) =>
          quietly(
            mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, ...told } }),
          ),
        );
  const logs = createLogTeller((at, data) => {
    if (mcpReq.envelope !== undefined) return quietly(mcpReq.log(at, data, "tool"));
    const params = { level: at, logger: "tool", data };
    return quietly(
      server.notification({ method: "notifications/message", params }, { relatedRequestId: mcpReq.id }),
    );
  });
  const log = (at: Level, data: string): void => {
    if (mcpReq.envelope !== undefined || isTold(at, level.current)) logs.tell(at, data);
  };
  return {
    hear(progress) {
      teller?.tell(progress);
      logProgress(progress, log);
    },
    end() {
      teller?.end();
      logs.flush();
    },
  };
}

function toResult(sdk: Sdk, outcome: CallOutcome): never {
  if ("result" in outcome && isObject(outcome.result)) return outcome.result as never;
  const { code, message, data } =
    "error" in outcome ? outcome.error : { code: -32_603, message: "no answer" };
  throw new sdk.ProtocolError(code, message, data);
}
