import type { Server } from "@modelcontextprotocol/server";
import { asking, faceOf, rethrowAsProtocol, toProtocolFault } from "../calls/serve-call.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import type { Gateway } from "../sessions/gateway.ts";
import type { UpstreamMcp, CallOutcome, ResourcePlace } from "../types/gateway-types.ts";
import type { ServeRequest, ServerPorts, CallRequest } from "../calls/call-types.ts";
import { provide } from "../../../core/context.ts";
import type { JsonObject } from "../../../core/json.ts";
import { ResourceReceiver } from "../../../sources/mcp/resource-tools.ts";
import type { McpResourceResult } from "../../../sources/mcp/types/source-types.ts";

/** Serves the full texts of this client's cut answers, and the resources of upstream servers. */
export function serveResources(server: Server, ports: ServerPorts, serve: ServeRequest): void {
  const { PaginatedRequestParams, ReadResourceRequestParams } = ports.sdk.specTypeSchemas;
  server.setRequestHandler("resources/list", { params: PaginatedRequestParams }, async (_, context) => {
    const [gateway, session] = await Promise.all([ports.gateway(), ports.session(context)]);
    const upstream = await upstreamFor(gateway, ports);
    const resources = (await upstream?.resources(context.mcpReq.signal)) ?? [];
    return { resources: [...session.artifacts.list(), ...resources] as never };
  });
  server.setRequestHandler(
    "resources/templates/list",
    { params: PaginatedRequestParams },
    async (_, context) => {
      const upstream = await upstreamFor(await ports.gateway(), ports);
      const templates = (await upstream?.templates(context.mcpReq.signal)) ?? [];
      return { resourceTemplates: [ARTIFACT_TEMPLATE, ...templates] as never };
    },
  );
  server.setRequestHandler(
    "resources/read",
    { params: ReadResourceRequestParams },
    async ({ uri }, context) => {
      const [gateway, session] = await Promise.all([ports.gateway(), ports.session(context)]);
      const artifact = await session.artifacts.read(uri);
      if (artifact !== undefined) return artifact;
      const upstream = await upstreamFor(gateway, ports);
      const place = await upstream?.locate(uri, context.mcpReq.signal);
      if (place === undefined) throw new ports.sdk.ResourceNotFoundError(uri);
      const isQueued = faceOf(server, session).approvals === "queue";
      return serve(context, asking({ ...resourceRequest(session, uri, place, gateway.mask), isQueued }));
    },
  );
}

const ARTIFACT_TEMPLATE = {
  uriTemplate: "artifact://{id}{?start}",
  name: "artifact",
  description:
    "The full text of an answer that was cut, by the id in its notice; start is the first byte to read.",
  mimeType: "text/plain",
};

/** Serves subscriptions. Artifacts never change; upstream servers report changes of their resources. */
export function serveSubscriptions(server: Server, ports: ServerPorts): void {
  const { sdk } = ports;
  const { SubscribeRequestParams, UnsubscribeRequestParams } = sdk.specTypeSchemas;
  server.setRequestHandler(
    "resources/subscribe",
    { params: SubscribeRequestParams },
    async ({ uri }, context) => {
      const [gateway, session] = await Promise.all([ports.gateway(), ports.session(context)]);
      if ((await session.artifacts.read(uri)) !== undefined) return {};
      const { signal } = context.mcpReq;
      const upstream = await upstreamFor(gateway, ports);
      const access = gateway.access(ports.ceilings);
      const updated = (): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
      const stop = await upstream?.subscribe(uri, updated, access, signal).catch(rethrowAsProtocol(sdk));
      if (stop === undefined) throw new sdk.ResourceNotFoundError(uri, `no server reports changes of ${uri}`);
      // A client that has left, or cancelled the request, would stay subscribed for ever.
      if (signal.aborted) stop();
      else {
        session.subscriptions.get(uri)?.();
        session.subscriptions.set(uri, stop);
      }
      return {};
    },
  );
  server.setRequestHandler(
    "resources/unsubscribe",
    { params: UnsubscribeRequestParams },
    async ({ uri }, context) => {
      const { subscriptions } = await ports.session(context);
      subscriptions.get(uri)?.();
      subscriptions.delete(uri);
      return {};
    },
  );
}

/** Returns undefined if there is no upstream server, or if the client's ceilings exclude resources. */
async function upstreamFor(
  gateway: Gateway,
  { ceilings }: Pick<ServerPorts, "ceilings">,
): Promise<UpstreamMcp | undefined> {
  return gateway.access(ceilings).seesResources() ? gateway.upstream() : undefined;
}

/**
 * Returns the request of `resources/read` for an upstream resource: a call of `read_resource`, judged, approved and stored like any
 * other. The content is passed on unchanged, with secrets masked; `uri` is the address that the client uses.
 */
function resourceRequest(
  session: ClientSession,
  uri: string,
  place: ResourcePlace,
  mask: Gateway["mask"],
): CallRequest {
  let read: McpResourceResult | undefined;
  const take = provide(ResourceReceiver, (given) => {
    read = given;
  });
  return {
    session,
    name: "read_resource",
    input: { server: place.server, uri: place.uri },
    context: [take],
    toOutcome({ result }): CallOutcome {
      if (!result.ok) return { error: toProtocolFault(result.error) };
      const { contents, ...rest } = read ?? { contents: [] };
      const maskedContents = contents.map((piece) => ({
        ...piece,
        // The server uses its own address for the one that the client requested.
        uri: piece.uri === place.uri ? uri : piece.uri,
        ...("text" in piece && { text: mask(piece.text) }),
      }));
      return { result: { ...rest, contents: maskedContents } as unknown as JsonObject };
    },
  };
}
