import type { Server, ServerOptions } from "@modelcontextprotocol/server";
import type { Json } from "../../../core/json.ts";
import { abortWith, asking, faceOf, toResult, toolRequest } from "../calls/serve-call.ts";
import { createServeRequest } from "./serve-request.ts";
import { servePrompts } from "./serve-prompts.ts";
import { serveResources, serveSubscriptions } from "./serve-upstream.ts";
import type { ServeRequest, ServerPorts, StartedCall } from "../calls/call-types.ts";
import { CAPABILITIES } from "./server-info.ts";
import { isAtLeast } from "../calls/reports.ts";
import type { ClientListener, LogLevel } from "../types/gateway-types.ts";

/** We validate the answers to forms ourselves: only an offered choice counts. The built program has none of the SDK's. */
export const acceptAll: NonNullable<ServerOptions["jsonSchemaValidator"]> = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

/** Creates the SDK's server with our handlers. It is stateless: what outlives a request belongs to the session. */
export function createServer(ports: ServerPorts): Server {
  const server = new ports.sdk.Server(ports.info, {
    capabilities: CAPABILITIES,
    instructions: ports.instructions(),
    jsonSchemaValidator: acceptAll,
  });
  const serve = createServeRequest(server, ports);
  serveTools(server, ports, serve);
  serveResources(server, ports, serve);
  serveSubscriptions(server, ports);
  servePrompts(server, ports, serve);
  const { SetLevelRequestParams: params } = ports.sdk.specTypeSchemas;
  server.setRequestHandler("logging/setLevel", { params }, ({ level }) => {
    ports.level.current = level;
    // Not awaited: a server that is slow does not delay the client.
    void ports.gateway().then(async (gateway) => (await gateway.upstream())?.setLevel?.(level));
    return {};
  });
  return server;
}

function serveTools(server: Server, ports: ServerPorts, serve: ServeRequest): void {
  const { PaginatedRequestParams: params } = ports.sdk.specTypeSchemas;
  server.setRequestHandler("tools/list", { params }, async (_, context) => {
    const [gateway, session] = await Promise.all([ports.gateway(), ports.session(context)]);
    await gateway.ready();
    return { tools: session.tools.list(faceOf(server, session)) };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const started = ports.started?.(context.mcpReq.id, context.http?.closeSSE);
    if (started !== undefined) return continueCall(ports, started, context.mcpReq.signal);
    const session = await ports.session(context);
    const { name, arguments: input = {} } = params;
    return serve(context, asking(toolRequest(session, { name, input: input as Json }, server)));
  });
}

/** Cancelling the request cancels its call. */
async function continueCall(
  { sdk }: ServerPorts,
  { outcome, controller }: StartedCall,
  signal: AbortSignal,
): Promise<never> {
  abortWith(controller, signal);
  return toResult(sdk, await outcome);
}

/** Returns a listener that sends notifications through a client's server; for a client that has left it does nothing. */
export function notifyThrough(server: () => Server | undefined, level: LogLevel): ClientListener {
  const ignoreFailure = (sent: Promise<void> | undefined): void => void sent?.catch(() => undefined);
  return {
    changed: (list) =>
      ignoreFailure(server()?.notification({ method: `notifications/${list}/list_changed` })),
    log(at, data, logger = "toolwright") {
      if (!isAtLeast(at, level.current)) return;
      const params = { level: at, logger, data };
      ignoreFailure(server()?.notification({ method: "notifications/message", params }));
    },
  };
}
