import type { Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../core/json.ts";
import type { Sdk, ServerPorts } from "./server-ports.ts";
import { toProtocol } from "./to-protocol.ts";

/** What servers behind us have. */
export function servePrompts(sdk: Sdk, server: Server, ports: ServerPorts): void {
  server.setRequestHandler("prompts/list", async (_, { mcpReq }) => {
    const upstream = await (await ports.gateway()).behind();
    return { prompts: ((await upstream?.prompts(mcpReq.signal)) ?? []) as never };
  });
  server.setRequestHandler(
    "prompts/get",
    async ({ params: { name, arguments: values = {} } }, { mcpReq }) => {
      const upstream = await (await ports.gateway()).behind();
      const prompt = await upstream?.getPrompt(name, values, mcpReq.signal).catch(toProtocol(sdk));
      if (prompt !== undefined) return prompt as never;
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `no prompt is named "${name}"`);
    },
  );
  server.setRequestHandler("completion/complete", async ({ params }, { mcpReq }) => {
    const upstream = await (await ports.gateway()).behind();
    const request = params as unknown as JsonObject;
    const found = await upstream?.complete(request, mcpReq.signal).catch(toProtocol(sdk));
    return (found ?? { completion: { values: [] } }) as never;
  });
}
