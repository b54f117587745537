// What the official suite runs as the client under test: our source behind our engine, as a user has it. Logs in when it is told to.
import { createMemoryCollections } from "../../src/util/json/memory-collections.ts";
import type { Approver } from "../../src/core/approval.ts";
import { isObject, type JsonObject } from "../../src/core/json.ts";
import type { ToolResult } from "../../src/core/result.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { storedLogin } from "../../src/sources/mcp/auth/stored-login.ts";
import { logIn } from "../../src/sources/mcp/login.ts";
import type { McpServers } from "../../src/sources/mcp/types/source-types.ts";
import { createMcpServers } from "../../src/sources/mcp/registry.ts";
import type { HttpServer } from "../../src/sources/mcp/transport/server.ts";
import { createMcpSource } from "../../src/sources/mcp/source.ts";

/** A user gives up after so many logins. */
const MAX_LOGINS = 3;
const SIGNAL = AbortSignal.timeout(25_000);

const [url = ""] = process.argv.slice(2);
const { MCP_CONFORMANCE_CONTEXT: given = "{}" } = process.env;
const context = JSON.parse(given) as JsonObject;
const server: HttpServer = { kind: "http", url, headers: {}, transport: "http", oauth: settings() };
const logins = createMemoryCollections().open("mcp-logins");
const stored = storedLogin({ collection: logins, name: "suite", url });
let loginsLeft = MAX_LOGINS;

while (!(await useServer())) {
  if (loginsLeft === 0) throw new Error("it wants one login after another");
  loginsLeft -= 1;
  await logIn({ name: "suite", server, stored, show: follow }, SIGNAL);
}

/** Uses all that the server has. False where it wants a login first. */
async function useServer(): Promise<boolean> {
  const engine = createEngine({ mode: "yolo", approver: accepting() });
  const source = createMcpSource({ name: "suite", server, logins });
  engine.sources.add(source);
  try {
    await engine.sources.settled();
    const problem = engine.sources.problems().find(({ subject }) => subject === "suite");
    if (problem?.hint?.startsWith("run toolwright mcp login") === true) return false;
    if (problem !== undefined) throw new Error(problem.message);
    for (const { name, input } of calls(engine.list())) {
      const result = await engine.run({ id: name, name, input });
      if (!result.ok && result.error.code === "UNAUTHORIZED") return false;
      tell(result);
    }
    await readAll(createMcpServers([source]));
    return true;
  } finally {
    await engine.close();
  }
}

interface Listed {
  readonly name: string;
  readonly input: JsonObject;
}

/** Every tool once, or the calls that the suite names. */
function calls(tools: readonly Listed[]): readonly Listed[] {
  const { toolCalls } = context;
  if (Array.isArray(toolCalls))
    return toolCalls.filter(isObject).map(({ name, arguments: input }) => ({
      name: `suite__${typeof name === "string" ? name : ""}`,
      input: isObject(input) ? input : {},
    }));
  const schema = tools.find(({ name }) => name.endsWith("__json_schema_2020_12_tool"))?.input ?? {};
  return tools
    .filter(({ name }) => !name.endsWith("__json_schema_2020_12_tool"))
    .map(({ name, input }) => ({ name, input: inputFor(input, schema) }));
}

function inputFor({ properties = {} }: JsonObject, schema: JsonObject): JsonObject {
  const fields = Object.entries(isObject(properties) ? properties : {});
  return Object.fromEntries(
    fields.map(([name, field]) => [name, name === "schema" ? schema : valueFor(field)]),
  );
}

function valueFor(field: unknown): JsonObject[string] {
  const { type } = isObject(field) ? field : {};
  if (type === "number" || type === "integer") return 5;
  if (type === "boolean") return true;
  return type === "object" ? {} : "text";
}

async function readAll(servers: McpServers): Promise<void> {
  const { items: resources } = await servers.resources(undefined, SIGNAL);
  for (const { uri, isTemplate } of resources)
    if (!isTemplate) await servers.readResource("suite", uri, SIGNAL);
  const { items: prompts } = await servers.prompts(SIGNAL);
  for (const { name, arguments: wanted } of prompts)
    await servers.prompt(name, Object.fromEntries(wanted.map((one) => [one.name, "text"])), SIGNAL);
}

/** Someone who says yes, and fills in what has no default. */
function accepting(): Approver {
  return {
    ask({ question }) {
      const form = question?.details?.["form"];
      const { properties = {} } = isObject(form) ? form : {};
      const fields = Object.entries(isObject(properties) ? properties : {});
      const open = fields.filter(([, field]) => isObject(field) && field["default"] === undefined);
      const input = Object.fromEntries(open.map(([name, field]) => [name, valueFor(field)]));
      return Promise.resolve({ approved: true, scope: "once", input });
    },
  };
}

/** A client that the suite has registered, or a document that it knows. */
function settings(): NonNullable<HttpServer["oauth"]> {
  const { client_id: clientId, client_secret: clientSecret } = context;
  if (typeof clientId !== "string" || typeof clientSecret !== "string")
    return { clientId: "https://conformance-test.local/client-metadata.json" };
  return { clientId, clientSecret };
}

/** The browser. */
async function follow(address: URL): Promise<void> {
  const response = await fetch(address, { redirect: "manual" });
  const back = response.headers.get("location");
  if (back === null) throw new Error(`nobody is sent back: ${response.status}`);
  void fetch(back).then((answer) => answer.text());
}

function tell(result: ToolResult): void {
  console.log(result.name, result.ok ? "ok" : `${result.error.code}: ${result.error.message}`);
}
