import type { Server } from "@modelcontextprotocol/server";
import type { Json } from "../../../core/json.ts";
import type { CallOutcome } from "../clients/call-tool.ts";
import { callTool } from "../clients/call-tool.ts";
import type { Level } from "../clients/gateway.ts";
import type { BegunCall } from "./quick-calls.ts";
import { runRequest } from "./run-request.ts";
import { servePrompts } from "./serve-prompts.ts";
import { serveResources, serveSubscriptions } from "./serve-resources.ts";
import type { Sdk, ServerPorts } from "./server-ports.ts";
import { CAPABILITIES, INSTRUCTIONS, knowsLinks } from "../clients/server-facts.ts";

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
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const session = await ports.session(context);
    const { name, arguments: input = {} } = params;
    const hasLinks = knowsLinks(server.getNegotiatedProtocolVersion());
    const begun = ports.begun?.(context.mcpReq.id);
    return runRequest(sdk, server, ports, {
      session,
      context,
      identity: [name, input as Json],
      run: (how) =>
        begun === undefined
          ? callTool(session, { ...how, name, input }, hasLinks)
          : goOn(begun, how.ending.signal),
    });
  });
}

/** Whoever gives up the request gives up the call. */
function goOn({ outcome, ending }: BegunCall, signal: AbortSignal): Promise<CallOutcome> {
  if (signal.aborted) ending.abort();
  signal.addEventListener("abort", () => ending.abort(), { once: true });
  return outcome;
}
