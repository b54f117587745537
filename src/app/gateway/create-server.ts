import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { Progress } from "../../core/context.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { hashOf } from "../../engine/call-hash.ts";
import type { AskClient } from "./approvals.ts";
import { fromForm, toForm } from "./approval-form.ts";
import type { CallOutcome } from "./call-tool.ts";
import { callTool } from "./call-tool.ts";
import type { Level } from "./gateway.ts";
import { createProgressTeller } from "./progress.ts";
import type { Hear, Round, RoundLeg, Rounds } from "./rounds.ts";
import { servePrompts, serveResources, serveSubscriptions } from "./serve-resources.ts";
import type { Sdk, ServerPorts } from "./server-ports.ts";
import { CAPABILITIES, INSTRUCTIONS, knowsLinks } from "./server-facts.ts";

const LONGEST_MS = 24 * 60 * 60 * 1000;
const LEVELS: readonly string[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** The protocol's own server with our answers. It holds nothing: whatever lives longer than a request is the session's. */
export function createServer(sdk: Sdk, ports: ServerPorts): Server {
  const server = new sdk.Server(ports.info, {
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    // What comes back from a form is read by us, and only as an answer that we offered.
    jsonSchemaValidator: {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    },
  });
  serveTools(sdk, server, ports);
  serveResources(sdk, server, ports);
  serveSubscriptions(sdk, server, ports);
  servePrompts(sdk, server, ports);
  server.setRequestHandler("logging/setLevel", ({ params }) => {
    ports.level.current = params.level as Level;
    return {};
  });
  return server;
}

function serveTools(sdk: Sdk, server: Server, ports: ServerPorts): void {
  server.setRequestHandler("tools/list", async (_, context) => {
    const [gateway, session] = await Promise.all([ports.gateway(), ports.session(context)]);
    await gateway.ready();
    return { tools: session.tools.list() as never };
  });
  server.setRequestHandler("tools/call", async (request, context) => {
    const session = await ports.session(context);
    const given = { name: request.params.name, input: request.params.arguments ?? {} };
    const hasLinks = knowsLinks(server.getNegotiatedProtocolVersion());
    const teller = tellerFor(server, ports, context);
    const run: RunCall = (signal, hear, ask) =>
      callTool(session, { ...given, signal, hear, ...(ask !== undefined && { ask }) }, hasLinks);
    const envelope = context.mcpReq.envelope as JsonObject | undefined;
    if (envelope === undefined) {
      const ask = canAsk(server.getClientCapabilities()) ? askThrough(server, context.mcpReq.id) : undefined;
      const outcome = await run(context.mcpReq.signal, teller.hear, ask);
      teller.end();
      return toResult(sdk, outcome);
    }
    const fingerprint = hashOf([session.id, given.name, given.input as Json]);
    const leg = { signal: context.mcpReq.signal, hear: teller.hear, fingerprint };
    const round = await roundOf(sdk, ports.rounds, leg, { context, envelope, run });
    teller.end();
    if ("outcome" in round) return toResult(sdk, round.outcome);
    const { form, state } = round;
    return sdk.inputRequired({
      inputRequests: { approval: sdk.inputRequired.elicit(form as never) },
      requestState: state,
    });
  });
}

type RunCall = (signal: AbortSignal, hear: Hear, ask?: AskClient) => Promise<CallOutcome>;

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
    return rounds.begin(leg, (ask, signal, hear) => run(signal, hear, mayAsk ? ask : undefined));
  }
  const response = sdk.inputResponse(context.mcpReq.inputResponses, "approval");
  const resumed = rounds.resume(leg, state, response.kind === "elicit" ? response : undefined);
  if (resumed !== undefined) return resumed;
  throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
    reason: "invalid_request_state",
  });
}

/** Asks the person at a client that can show a form, for as long as the engine waits for the answer. */
export function askThrough(server: Server, relatedRequestId?: string | number): AskClient {
  return async (request, signal) => {
    const form = toForm(request);
    const options = {
      signal,
      timeout: LONGEST_MS,
      ...(relatedRequestId !== undefined && { relatedRequestId }),
    };
    return fromForm(request, await server.elicitInput({ mode: "form", ...form } as never, options));
  };
}

/** A client that says only that it knows forms knows the plain ones. */
export function canAsk(capabilities: { readonly elicitation?: object | undefined } | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && ("form" in elicitation || !("url" in elicitation));
}

function tellerFor(
  server: Server,
  { level }: ServerPorts,
  { mcpReq }: ServerContext,
): { readonly hear: (progress: Progress) => void; readonly end: () => void } {
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
  const log = (at: Level, data: string): void => {
    if (mcpReq.envelope !== undefined) return quietly(mcpReq.log(at, data, "tool"));
    if (!isTold(at, level.current)) return;
    const params = { level: at, logger: "tool", data };
    quietly(
      server.notification({ method: "notifications/message", params }, { relatedRequestId: mcpReq.id }),
    );
  };
  return {
    hear(progress) {
      teller?.tell(progress);
      logProgress(progress, log);
    },
    end: () => teller?.end(),
  };
}

/** A word that a tool says is information; a line that it prints is for those who look closely. */
export function logProgress(progress: Progress, log: (level: Level, data: string) => void): void {
  if (typeof progress === "string") log("info", progress);
  else if ("stream" in progress) log("debug", progress.text);
}

export function isTold(level: Level, least: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

function toResult(sdk: Sdk, outcome: CallOutcome): never {
  if ("result" in outcome && isObject(outcome.result)) return outcome.result as never;
  const { code, message, data } =
    "error" in outcome ? outcome.error : { code: -32_603, message: "no answer" };
  throw new sdk.ProtocolError(code, message, data);
}
