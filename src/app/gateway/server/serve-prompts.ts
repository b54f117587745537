import type { Server } from "@modelcontextprotocol/server";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { rethrowAsProtocol } from "../calls/serve-call.ts";
import type { Gateway } from "../sessions/gateway.ts";
import type { ServerPorts } from "../calls/call-types.ts";

/** Serves the prompts of upstream servers, and completions of their arguments. */
export function servePrompts(server: Server, ports: ServerPorts): void {
  const { sdk } = ports;
  server.setRequestHandler("prompts/list", async (_, { mcpReq }) => {
    const { upstream, access } = await openUpstream(ports);
    const prompts = (await upstream?.prompts(mcpReq.signal)) ?? [];
    const visible = prompts.filter(({ name }) => typeof name === "string" && access.seesPrompt(name));
    return { prompts: visible as never };
  });
  server.setRequestHandler(
    "prompts/get",
    async ({ params: { name, arguments: values = {} } }, { mcpReq }) => {
      const { upstream, access, mask } = await openUpstream(ports);
      const prompt = access.seesPrompt(name)
        ? await upstream?.getPrompt(name, values, access, mcpReq.signal).catch(rethrowAsProtocol(sdk))
        : undefined;
      if (prompt !== undefined) return masked(prompt, mask) as never;
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `no prompt is named "${name}"`);
    },
  );
  server.setRequestHandler("completion/complete", async ({ params }, { mcpReq }) => {
    const { upstream, access } = await openUpstream(ports);
    const request = params as unknown as JsonObject;
    const found = await upstream?.complete(request, access, mcpReq.signal).catch(rethrowAsProtocol(sdk));
    return (found ?? { completion: { values: [] } }) as never;
  });
}

async function openUpstream({ gateway, ceilings }: ServerPorts) {
  const opened = await gateway();
  return { upstream: await opened.upstream(), access: opened.access(ceilings), mask: opened.mask };
}

/** Masks secrets in the texts of a prompt's messages. */
function masked(prompt: JsonObject, mask: Gateway["mask"]): JsonObject {
  const maskTexts = (part: Json): Json => {
    if (!isObject(part)) return part;
    const { text, resource, content } = part;
    return {
      ...part,
      ...(typeof text === "string" && { text: mask(text) }),
      ...(isObject(resource) && { resource: maskTexts(resource) }),
      ...(isObject(content) && { content: maskTexts(content) }),
    };
  };
  const { messages } = prompt;
  return Array.isArray(messages)
    ? { ...prompt, messages: (messages as readonly Json[]).map(maskTexts) }
    : prompt;
}
