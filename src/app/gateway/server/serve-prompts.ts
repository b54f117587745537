import type { Server } from "@modelcontextprotocol/server";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { Reach } from "../clients/reach.ts";
import type { Sdk, ServerPorts } from "./server-ports.ts";
import { toProtocol } from "./to-protocol.ts";
import type { UpstreamMcp } from "../upstream/upstream.ts";

/** What servers behind us have. */
export function servePrompts(sdk: Sdk, server: Server, ports: ServerPorts): void {
  server.setRequestHandler("prompts/list", async (_, { mcpReq }) => {
    const { upstream, reach } = await behind(ports);
    const prompts = (await upstream?.prompts(mcpReq.signal)) ?? [];
    const shown = prompts.filter(({ name }) => typeof name === "string" && reach.showsPrompt(name));
    return { prompts: shown as never };
  });
  server.setRequestHandler(
    "prompts/get",
    async ({ params: { name, arguments: values = {} } }, { mcpReq }) => {
      const { upstream, reach, mask } = await behind(ports);
      const isShown = reach.showsPrompt(name);
      const prompt = isShown
        ? await upstream?.getPrompt(name, values, reach, mcpReq.signal).catch(toProtocol(sdk))
        : undefined;
      if (prompt !== undefined) return masked(prompt, mask) as never;
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `no prompt is named "${name}"`);
    },
  );
  server.setRequestHandler("completion/complete", async ({ params }, { mcpReq }) => {
    const { upstream, reach } = await behind(ports);
    const request = params as unknown as JsonObject;
    const found = await upstream?.complete(request, reach, mcpReq.signal).catch(toProtocol(sdk));
    return (found ?? { completion: { values: [] } }) as never;
  });
}

interface Behind {
  readonly upstream: UpstreamMcp | undefined;
  readonly reach: Reach;
  readonly mask: (text: string) => string;
}

async function behind({ gateway, ceilings }: ServerPorts): Promise<Behind> {
  const opened = await gateway();
  return { upstream: await opened.behind(), reach: opened.reach(ceilings), mask: opened.mask };
}

/** The same messages, with what is secret hidden in their texts. */
function masked(prompt: JsonObject, mask: Behind["mask"]): JsonObject {
  const textsIn = (part: Json): Json => {
    if (!isObject(part)) return part;
    const { text, resource, content } = part;
    return {
      ...part,
      ...(typeof text === "string" && { text: mask(text) }),
      ...(isObject(resource) && { resource: textsIn(resource) }),
      ...(isObject(content) && { content: textsIn(content) }),
    };
  };
  const { messages } = prompt;
  return Array.isArray(messages)
    ? { ...prompt, messages: (messages as readonly Json[]).map(textsIn) }
    : prompt;
}
