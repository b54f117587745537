import { createMemoryCollections } from "../../src/util/json/memory-collections.ts";
import type { Approver } from "../../src/core/approval.ts";
import { isObject, type JsonObject } from "../../src/core/json.ts";
import type { Collection } from "../../src/core/store/collection.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { storedLogin } from "../../src/sources/mcp/auth/stored-login.ts";
import { logIn } from "../../src/sources/mcp/login.ts";
import type { McpServers } from "../../src/sources/mcp/types/source-types.ts";
import { createMcpServers } from "../../src/sources/mcp/registry.ts";
import type { HttpServer } from "../../src/sources/mcp/transport/server.ts";
import { createMcpSource } from "../../src/sources/mcp/source.ts";

/** A user gives up after so many logins. */
const MAX_LOGINS = 3;
const TIMEOUT_MS = 60_000;

interface Suite {
  readonly server: HttpServer;
  readonly logins: Collection;
  /** What the suite tells its client, such as the calls to make. */
  readonly context: JsonObject;
  readonly signal: AbortSignal;
}

/** Uses everything that a server of the suite has: our source behind our engine, as a user has it. Logs in if the server wants it. */
export async function beClient(url: string, context: JsonObject): Promise<void> {
  const server: HttpServer = {
    kind: "http",
    url,
    headers: {},
    transport: "http",
    oauth: settings(context),
  };
  const logins = createMemoryCollections().open("mcp-logins");
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const stored = storedLogin({ collection: logins, name: "suite", url });
  for (let left = MAX_LOGINS; !(await useServer({ server, logins, context, signal })); left -= 1) {
    if (left === 0) throw new Error("it wants one login after another");
    await logIn({ name: "suite", server, stored, show: follow }, signal);
  }
}

/** Uses everything that the server has. False if it wants a login first. */
async function useServer({ server, logins, context, signal }: Suite): Promise<boolean> {
  const engine = createEngine({ mode: "yolo", approver: accepting() });
  const source = createMcpSource({ name: "suite", server, logins });
  engine.sources.add(source);
  try {
    await engine.sources.settled();
    const problem = engine.sources.problems().find(({ subject }) => subject === "suite");
    if (problem?.reason === "unauthorized") return false;
    if (problem !== undefined) throw new Error(problem.message);
    for (const { name, input } of calls(engine.list(), context)) {
      const result = await engine.run({ id: name, name, input });
      if (!result.ok && result.error.code === "UNAUTHORIZED") return false;
    }
    await readAll(createMcpServers([source]), signal);
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
function calls(tools: readonly Listed[], { toolCalls }: JsonObject): readonly Listed[] {
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

async function readAll(servers: McpServers, signal: AbortSignal): Promise<void> {
  const { items: resources } = await servers.resources(undefined, signal);
  for (const { uri, isTemplate } of resources)
    if (!isTemplate) await servers.readResource("suite", uri, signal);
  const { items: prompts } = await servers.prompts(signal);
  for (const { name, arguments: wanted } of prompts)
    await servers.prompt(name, Object.fromEntries(wanted.map((one) => [one.name, "text"])), signal);
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
function settings({
  client_id: clientId,
  client_secret: clientSecret,
}: JsonObject): NonNullable<HttpServer["oauth"]> {
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
