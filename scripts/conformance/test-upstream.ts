import type { ReadResourceResult } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../src/core/json.ts";
import type { Tool } from "../../src/core/tool.ts";
import type { UpstreamMcp } from "../../src/app/gateway/types/gateway-types.ts";
import { mcpResourceTools } from "../../src/sources/mcp/resource-tools.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Returns an upstream server with the prompts and resources that the official suite needs; `changed` reports a changed list of prompts. */
export function conformanceUpstream(): UpstreamMcp & { changed(): void } {
  const watchers = new Set<(list: "prompts") => void>();
  return {
    changed() {
      for (const notify of watchers) notify("prompts");
    },
    prompts: () => Promise.resolve(PROMPTS),
    async getPrompt(name, values, _access, { asking }) {
      if (name !== ASKING) return prompt(name, values);
      const answer = await asking?.ask({
        text: "What context should the prompt use?",
        details: { form: CONTEXT },
      });
      return says({ type: "text", text: JSON.stringify(answer) });
    },
    resources: () =>
      Promise.resolve([
        { uri: "test://static-text", name: "static text", mimeType: "text/plain" },
        { uri: "test://static-binary", name: "static binary", mimeType: "image/png" },
      ]),
    templates: () =>
      Promise.resolve([
        { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" },
      ]),
    locate: (uri) => Promise.resolve(resource(uri) === undefined ? undefined : { server: "suite", uri }),
    subscribe: () => Promise.resolve(() => undefined),
    complete: () => Promise.resolve({ completion: { values: ["testing"], total: 1, hasMore: false } }),
    watch(notify) {
      watchers.add(notify);
      return () => watchers.delete(notify);
    },
    close: () => undefined,
  };
}

/** Returns the tools that read them, without approval. */
export function conformanceResourceTools(): readonly Tool[] {
  const tools = mcpResourceTools({
    names: ["suite"],
    resources: () => Promise.resolve({ items: [], unavailable: [] }),
    readResource: () => Promise.resolve([]),
    rawResource: (_server, uri) => Promise.resolve(resource(uri) as unknown as ReadResourceResult),
  });
  return tools.map((tool) => ({ ...tool, risk: "low" }));
}

/** The prompt whose server asks for what it needs. */
const ASKING = "test_input_required_result_prompt";
const CONTEXT: JsonObject = {
  type: "object",
  properties: { context: { type: "string" } },
  required: ["context"],
};

const PROMPTS: readonly JsonObject[] = [
  { name: "test_simple_prompt", description: "A prompt without arguments" },
  {
    name: "test_prompt_with_arguments",
    description: "A prompt with arguments",
    arguments: [
      { name: "arg1", description: "First", required: true },
      { name: "arg2", description: "Second", required: true },
    ],
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A prompt with a resource",
    arguments: [{ name: "resourceUri", description: "Its address", required: true }],
  },
  { name: "test_prompt_with_image", description: "A prompt with an image" },
  { name: ASKING, description: "A prompt that asks" },
];

function says(...content: readonly JsonObject[]): JsonObject {
  return { messages: content.map((one) => ({ role: "user", content: one })) };
}

function prompt(name: string, values: Readonly<Record<string, string>>): JsonObject | undefined {
  const text = (words: string): JsonObject => ({ type: "text", text: words });
  if (name === "test_simple_prompt") return says(text("This is a simple prompt for testing."));
  if (name === "test_prompt_with_arguments")
    return says(text(`Prompt with arguments: arg1='${values["arg1"]}', arg2='${values["arg2"]}'`));
  if (name === "test_prompt_with_image")
    return says(
      { type: "image", data: PIXEL, mimeType: "image/png" },
      text("Please analyze the image above."),
    );
  if (name !== "test_prompt_with_embedded_resource") return undefined;
  const uri = values["resourceUri"] ?? "";
  const resource = { uri, mimeType: "text/plain", text: "Embedded resource content for testing." };
  return says({ type: "resource", resource }, text("Please process the embedded resource above."));
}

function resource(uri: string): JsonObject | undefined {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (uri === "test://static-text")
    return {
      contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
    };
  if (uri === "test://static-binary") return { contents: [{ uri, mimeType: "image/png", blob: PIXEL }] };
  if (id === undefined) return undefined;
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { contents: [{ uri, mimeType: "application/json", text }] };
}
