// A stdio server that supports only the newest protocol. Its tool, prompt and resource `asking` need a name, which they ask for.
import {
  McpServer,
  acceptedContent,
  fromJsonSchema,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const FORM = {
  message: "Who reads?",
  requestedSchema: {
    type: "object" as const,
    properties: { name: { type: "string" as const } },
    required: ["name"],
  },
};

function withName<T>(
  { mcpReq }: ServerContext,
  answer: (name: string) => T,
): Promise<T | InputRequiredResult> {
  const content = acceptedContent(mcpReq.inputResponses, "name");
  if (content !== undefined) return Promise.resolve(answer(JSON.stringify(content)));
  if (mcpReq.inputResponses !== undefined) return Promise.resolve(answer("nobody"));
  return Promise.resolve(inputRequired({ inputRequests: { name: inputRequired.elicit(FORM) } }));
}

serveStdio(
  () => {
    const server = new McpServer({ name: "modern", version: "1" });
    const inputSchema = fromJsonSchema<{ readonly text: string }>({
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
    });
    server.registerTool("echo", { description: "Echoes.", inputSchema }, async ({ text }) => ({
      content: [{ type: "text", text }],
    }));
    server.registerTool("asking", { description: "Asks." }, (context) =>
      withName(context, (text) => ({ content: [{ type: "text", text }] })),
    );
    server.registerPrompt("asking", { description: "Asks." }, (context) =>
      withName(context, (text) => ({ messages: [{ role: "user", content: { type: "text", text } }] })),
    );
    server.registerResource("asking", "note://asking", {}, (uri, context) =>
      withName(context, (text) => ({ contents: [{ uri: uri.href, text }] })),
    );
    return server;
  },
  { legacy: "reject" },
);
