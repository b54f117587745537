import type { Server } from "@modelcontextprotocol/server";
import { ARTIFACT_TEMPLATE } from "../clients/artifact-resources.ts";
import type { Gateway } from "../clients/gateway.ts";
import { readResource } from "./read-resource.ts";
import { runRequest } from "./run-request.ts";
import type { Sdk, ServerPorts } from "./server-ports.ts";
import { toProtocol } from "./to-protocol.ts";
import type { UpstreamMcp } from "../upstream/upstream.ts";

/** What was cut from this client's answers, and what servers behind us have. */
export function serveResources(sdk: Sdk, server: Server, ports: ServerPorts): void {
  server.setRequestHandler("resources/list", async (_, context) => {
    const [gateway, session] = await Promise.all([ports.gateway(), ports.session(context)]);
    const upstream = await upstreamFor(gateway, ports);
    const behind = (await upstream?.resources(context.mcpReq.signal)) ?? [];
    return { resources: [...session.artifacts.list(), ...behind] as never };
  });
  server.setRequestHandler("resources/templates/list", async (_, context) => {
    const gateway = await ports.gateway();
    const upstream = await upstreamFor(gateway, ports);
    const behind = (await upstream?.templates(context.mcpReq.signal)) ?? [];
    return { resourceTemplates: [ARTIFACT_TEMPLATE, ...behind] as never };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const [gateway, session] = await Promise.all([ports.gateway(), ports.session(context)]);
    const cut = await session.artifacts.read(uri);
    if (cut !== undefined) return cut as never;
    const upstream = await upstreamFor(gateway, ports);
    const place = await upstream?.locate(uri, context.mcpReq.signal);
    if (place === undefined) throw new sdk.ResourceNotFoundError(uri);
    return runRequest(sdk, server, ports, {
      session,
      context,
      identity: ["resources/read", uri],
      run: (how) => readResource(session, { ...how, uri, place, mask: gateway.mask }),
    });
  });
}

/** Cut texts never change; of the others the servers behind us tell. */
export function serveSubscriptions(sdk: Sdk, server: Server, ports: ServerPorts): void {
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }, context) => {
    const [gateway, session] = await Promise.all([ports.gateway(), ports.session(context)]);
    if ((await session.artifacts.read(uri)) !== undefined) return {};
    const upstream = await upstreamFor(gateway, ports);
    const reach = gateway.reach(ports.ceilings);
    const updated = (): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
    const stop = await upstream?.subscribe(uri, updated, reach, context.mcpReq.signal).catch(toProtocol(sdk));
    if (stop === undefined) throw new sdk.ResourceNotFoundError(uri, `nobody tells of changes of ${uri}`);
    // A client that has left, or has given it up, would watch for ever.
    if (context.mcpReq.signal.aborted) stop();
    else {
      session.subscriptions.get(uri)?.();
      session.subscriptions.set(uri, stop);
    }
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }, context) => {
    const { subscriptions } = await ports.session(context);
    subscriptions.get(uri)?.();
    subscriptions.delete(uri);
    return {};
  });
}

/** Undefined where there is no server, and for a client that was not given its resources. */
async function upstreamFor(
  gateway: Gateway,
  { ceilings }: Pick<ServerPorts, "ceilings">,
): Promise<UpstreamMcp | undefined> {
  return gateway.reach(ceilings).showsResources() ? gateway.behind() : undefined;
}
