import type { Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../core/json.ts";
import { ARTIFACT_TEMPLATE } from "./artifact-resources.ts";
import type { Sdk, ServerPorts } from "./server-ports.ts";

/** What was cut from this client's answers, and what servers behind us have. */
export function serveResources(sdk: Sdk, server: Server, ports: ServerPorts): void {
  server.setRequestHandler("resources/list", async (_, context) => {
    const [{ upstream }, session] = await Promise.all([ports.gateway(), ports.session(context)]);
    const behind = (await upstream?.resources(context.mcpReq.signal)) ?? [];
    return { resources: [...session.artifacts.list(), ...behind] as never };
  });
  server.setRequestHandler("resources/templates/list", async (_, context) => {
    const { upstream } = await ports.gateway();
    const behind = (await upstream?.templates?.(context.mcpReq.signal)) ?? [];
    return { resourceTemplates: [ARTIFACT_TEMPLATE, ...behind] as never };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const [{ upstream }, session] = await Promise.all([ports.gateway(), ports.session(context)]);
    const read =
      (await session.artifacts.read(uri)) ?? (await upstream?.readResource(uri, context.mcpReq.signal));
    if (read === undefined) throw new sdk.ResourceNotFoundError(uri);
    return read as never;
  });
}

/** Cut texts never change; of the others the servers behind us tell. */
export function serveSubscriptions(sdk: Sdk, server: Server, ports: ServerPorts): void {
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }, context) => {
    const [{ upstream }, session] = await Promise.all([ports.gateway(), ports.session(context)]);
    if ((await session.artifacts.read(uri)) !== undefined) return {};
    const updated = (): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
    const stop = await upstream?.subscribe?.(uri, updated, context.mcpReq.signal);
    if (stop === undefined) throw new sdk.ResourceNotFoundError(uri, `nobody tells of changes of ${uri}`);
    session.subscriptions.get(uri)?.();
    session.subscriptions.set(uri, stop);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }, context) => {
    const { subscriptions } = await ports.session(context);
    subscriptions.get(uri)?.();
    subscriptions.delete(uri);
    return {};
  });
}

/** What servers behind us have. */
export function servePrompts(sdk: Sdk, server: Server, ports: ServerPorts): void {
  server.setRequestHandler("prompts/list", async (_, context) => {
    const { upstream } = await ports.gateway();
    return { prompts: ((await upstream?.prompts(context.mcpReq.signal)) ?? []) as never };
  });
  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    const { upstream } = await ports.gateway();
    const prompt = await upstream?.getPrompt(params.name, params.arguments ?? {}, context.mcpReq.signal);
    if (prompt !== undefined) return prompt as never;
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `no prompt is named "${params.name}"`);
  });
  server.setRequestHandler("completion/complete", async ({ params }, context) => {
    const { upstream } = await ports.gateway();
    const found = await upstream?.complete?.(params as unknown as JsonObject, context.mcpReq.signal);
    return (found ?? { completion: { values: [] } }) as never;
  });
}
