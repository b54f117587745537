import { ToolError } from "../../core/errors.ts";
import { isObject, type Json } from "../../core/json.ts";
import { askServer, connectionOf } from "./connection/connection.ts";
import { listAll, type Listable } from "./tools/listing.ts";
import type {
  Found,
  McpPrompt,
  McpPromptArgument,
  McpResource,
  McpServers,
  McpSource,
} from "./types/source-types.ts";
import { fromResource, toContent } from "./tools/to-content.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** Time limit of a server for a list, so that one that hangs does not block the others. */
const LIST_MS = 10_000;

/** Creates the view of the resources and prompts of these servers, for `McpServersKey`. */
export function createMcpServers(sources: readonly McpSource[]): McpServers {
  const names = sources.map(({ server }) => server);
  const promptsOf = async (source: McpSource, signal: AbortSignal): Promise<readonly McpPrompt[]> =>
    (await listOf(source, "prompts", signal)).flatMap((one) => toPrompt(source.server, one));
  const find = (server: string): McpSource => {
    const source = sources.find((one) => one.server === server);
    if (source !== undefined) return source;
    throw new ToolError("INVALID_INPUT", `unknown MCP server "${server}"`, {
      hint: `servers: ${names.join(", ") || "none"}`,
    });
  };
  const rawResource: McpServers["rawResource"] = async (server, uri, signal, context) =>
    askServer(find(server), signal, ({ client }, options) => client.readResource({ uri }, options), context);
  return {
    names,
    sources,
    rawResource,
    resources: (server, signal) =>
      queryEach(server === undefined ? sources : [find(server)], async (source) => [
        ...(await listOf(source, "resources", signal)).flatMap((one) => toResource(source.server, one)),
        ...(await listOf(source, "templates", signal)).flatMap((one) => toResource(source.server, one)),
      ]),
    readResource: async (server, uri, signal, context) =>
      (await rawResource(server, uri, signal, context)).contents.map(fromResource),
    prompts: (signal) => queryEach(sources, (source) => promptsOf(source, signal)),
    async findPrompt(name, signal) {
      const { server } = parsePromptName(name);
      const prompts = await promptsOf(find(server), signal);
      const prompt = prompts.find((one) => one.name === name);
      if (prompt !== undefined) return prompt;
      throw new ToolError("INVALID_INPUT", `the MCP server "${server}" has no prompt "${name}"`, {
        hint: `it has ${prompts.map((one) => one.name).join(", ") || "none"}`,
      });
    },
    async prompt(name, given, signal) {
      const { server, prompt } = parsePromptName(name);
      const params = { name: prompt, arguments: { ...given } };
      const { messages } = await askServer(find(server), signal, ({ client }, options) =>
        client.getPrompt(params, options),
      );
      return messages.map(({ role, content }) => ({ role, content: toContent(content) }));
    },
  };
}

function parsePromptName(name: string): { readonly server: string; readonly prompt: string } {
  const [, server, prompt] = /^\/([^:]*):(.*)$/su.exec(name) ?? [];
  if (server !== undefined && prompt !== undefined) return { server, prompt };
  throw new ToolError("INVALID_INPUT", `invalid prompt name "${name}"; expected /server:prompt`);
}

async function listOf(source: McpSource, what: Listable, signal: AbortSignal): Promise<readonly unknown[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
  return listAll(await connectionOf(source, limited), what, { signal: limited, timeoutMs: LIST_MS });
}

async function queryEach<T>(
  sources: readonly McpSource[],
  query: (source: McpSource) => Promise<readonly T[]>,
): Promise<Found<T>> {
  const results = await Promise.allSettled(sources.map(query));
  return {
    items: results.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : [])),
    unavailable: results.flatMap((answer, index) => {
      if (answer.status === "fulfilled") return [];
      return [{ server: sources[index]?.server ?? "", message: errorMessage(answer.reason) }];
    }),
  };
}

function toResource(server: string, listed: unknown): readonly McpResource[] {
  if (!isObject(listed)) return [];
  const { uri, uriTemplate, name, description, mimeType } = listed;
  const address = typeof uri === "string" ? uri : uriTemplate;
  if (typeof address !== "string") return [];
  return [
    {
      server,
      uri: address,
      name: textOf(name) ?? address,
      isTemplate: address !== uri,
      ...(typeof description === "string" && { description }),
      ...(typeof mimeType === "string" && { mimeType }),
    },
  ];
}

function toPrompt(server: string, listed: unknown): readonly McpPrompt[] {
  if (!isObject(listed) || typeof listed["name"] !== "string") return [];
  const { name: prompt, description, arguments: declared } = listed;
  return [
    {
      name: `/${server}:${prompt}`,
      server,
      prompt,
      description: textOf(description) ?? "",
      arguments: (Array.isArray(declared) ? (declared as readonly Json[]) : []).flatMap(toArgument),
    },
  ];
}

function toArgument(listed: Json): readonly McpPromptArgument[] {
  if (!isObject(listed) || typeof listed["name"] !== "string") return [];
  const { name, description, required } = listed;
  return [{ name, description: textOf(description) ?? "", isRequired: required === true }];
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
