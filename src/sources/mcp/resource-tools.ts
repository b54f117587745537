import { Reply } from "../../core/content.ts";
import { createKey, type Key } from "../../core/context.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import type { JsonObject } from "../../core/json.ts";
import { object, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import type { Found, McpResource, McpResourceResult, McpServers } from "./types/source-types.ts";

/** The part of `McpServers` that the tools need. */
export type ReadableServers = Pick<McpServers, "names" | "resources" | "readResource" | "rawResource">;

/** Set by a client that wants the resource itself: it receives the resource, and the answer only confirms that. */
export const ResourceReceiver: Key<(read: McpResourceResult) => void> = createKey("McpResourceReceiver");

/** Creates `list_resources` and `read_resource`, which reach the resources of all MCP servers. */
export function mcpResourceTools(servers: ReadableServers): readonly Tool[] {
  const known = `MCP servers: ${servers.names.join(", ")}.`;
  const listResources = defineTool({
    name: "list_resources",
    description: `Lists the resources of MCP servers: files, records, pages. ${known}`,
    input: object({ server: optional(string("List only the resources of this server.")) }),
    risk: "low",
    effects: "none",
    limits: { shape: "list" },
    run: async ({ server }, { signal }) => toReply(await servers.resources(server, signal)),
  });
  const readResource = defineTool({
    name: "read_resource",
    description: `Reads a resource of an MCP server by its URI, as list_resources returns it. ${known}`,
    input: object({
      server: string("The server of the resource."),
      uri: string("The URI; for a template, with its parameters filled in."),
    }),
    effects: "none",
    facts: ({ server }) => [{ kind: "mcp", server, tool: "resources/read" }],
    async run({ server, uri }, context) {
      const { signal } = context;
      const take = context.find(ResourceReceiver);
      if (take === undefined) return new Reply(await servers.readResource(server, uri, signal, context));
      take(await servers.rawResource(server, uri, signal, context));
      return `${uri} was passed on`;
    },
  });
  return [listResources, readResource].map((tool) => ({ ...tool, source: "mcp", isUntrusted: true }));
}

function toReply({ items, unavailable }: Found<McpResource>): Reply {
  const lines = [...items.map(lineOf), ...unavailable.map((one) => `(${one.server}: ${one.message})`)];
  const data: JsonObject = {
    resources: items.map((item) => ({ ...item })),
    unavailable: unavailable.map((one) => ({ ...one })),
  };
  return new Reply(lines.length === 0 ? "no resources" : lines.join("\n"), { data, items: lines });
}

function lineOf({ server, uri, name, isTemplate, description, mimeType }: McpResource): string {
  const kind = mimeType === undefined ? "" : ` (${mimeType})`;
  const template = isTemplate ? " [template]" : "";
  const about = description === undefined ? "" : `: ${description.replaceAll(/\s+/g, " ")}`;
  return `${server} ${uri}${template} ${name}${kind}${about}`;
}
