import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  Client,
  CreateMessageResult,
  JsonSchemaValidator,
  jsonSchemaValidator,
  ElicitRequestFormParams,
  ElicitResult,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../core/json.ts";
import type { Calls } from "./calls.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import type { ServerLog } from "../types/client-keys.ts";
import type { Asking, Sample } from "../types/source-types.ts";
import type { Sdk } from "../transport/faults.ts";
import { defaultsOf, fieldsOf, problemWith, type FormField } from "../transport/form.ts";

/** Handles the requests and notifications of a server. */
export interface ClientPorts {
  /** The name of the server. */
  readonly name: string;
  /** Folders sent to the server as roots. */
  readonly roots: readonly string[];
  /** Default: sampling requests are declined. */
  readonly sample?: Sample;
  /** The running calls of the server. */
  readonly calls: Calls;
  /** Called for each `list_changed` notification. */
  readonly onListChanged: (what: "tools" | "prompts" | "resources") => void;
  /** Called for each log message. */
  readonly onLog?: (log: ServerLog) => void;
}

/** One call needs few open requests; more would tire the user and waste model calls. */
const MAX_OPEN_REQUESTS = 8;
const TOO_MANY = `declined: more than ${MAX_OPEN_REQUESTS} requests are open`;

/** Creates an MCP client that offers roots, passes forms to the approver and declines all other requests. */
export function createClient(sdk: Sdk, ports: ClientPorts, probeMs: number): Client {
  const { name, roots, sample, calls, onListChanged } = ports;
  const client = new sdk.Client(
    { name: "toolwright", version: "1" },
    {
      capabilities: { roots: {}, elicitation: { form: {} }, ...(sample !== undefined && { sampling: {} }) },
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } },
      jsonSchemaValidator: acceptAll,
    },
  );
  client.setRequestHandler("roots/list", () => ({
    roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) })),
  }));
  // Not by the SDK's option: with it a server that does not acknowledge the subscription could not be connected to.
  for (const what of LISTS)
    client.setNotificationHandler(`notifications/${what}/list_changed`, () => onListChanged(what));
  client.setNotificationHandler("notifications/message", ({ params }) => ports.onLog?.(params as ServerLog));
  const limit = createLimit(MAX_OPEN_REQUESTS);
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    const decline = { action: "decline" as const };
    if (params.mode === "url") return decline;
    return limit(() => elicit(name, params, calls.asking())) ?? decline;
  });
  if (sample !== undefined)
    client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) => {
      const asker = { server: name, context: calls.asking() };
      const answering = limit(() => sample(params as unknown as JsonObject, mcpReq.signal, asker));
      if (answering === undefined)
        throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidRequest, TOO_MANY);
      return (await answering) as unknown as CreateMessageResult;
    });
  client.fallbackRequestHandler = ({ method }) => Promise.reject(declined(sdk, method));
  return client;
}

const LISTS = ["tools", "prompts", "resources"] as const;
/** How long a connection waits for a server to acknowledge the subscription; it does so at once, or never. */
const ACKNOWLEDGE_MS = 1000;

/** Subscribes to changed lists, which only a server of the newest protocol requires. Never rejects: without it lists are read again on use. */
export async function subscribeToLists(client: Client): Promise<void> {
  if (client.getProtocolEra() !== "modern") return;
  const offered = client.getServerCapabilities();
  const filter = Object.fromEntries(
    LISTS.flatMap((what) => (offered?.[what]?.listChanged === true ? [[`${what}ListChanged`, true]] : [])),
  );
  if (Object.keys(filter).length === 0) return;
  const subscribed = client.listen(filter).then(
    () => undefined,
    () => undefined,
  );
  await withTimeout(subscribed, ACKNOWLEDGE_MS, () => undefined);
}

/** Returns a function that runs a task, or returns undefined if `max` tasks are running. */
function createLimit(max: number): <T>(begin: () => Promise<T>) => Promise<T> | undefined {
  let open = 0;
  return (begin) => {
    if (open >= max) return undefined;
    open += 1;
    return begin().finally(() => (open -= 1));
  };
}

/** The engine validates outputs, with guards that the SDK's validator lacks. */
const acceptAll: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

function declined(sdk: Sdk, method: string): Error {
  const why =
    method === "sampling/createMessage" ? "no model is set up for sampling" : `${method} is unknown`;
  return new sdk.ProtocolError(sdk.ProtocolErrorCode.MethodNotFound, `declined: ${why}`);
}

/**
 * Passes a form of a server to the approver of the running call. Answers only with what the approver filled in; declines a request
 * outside of any call, and an approval that lacks required fields.
 */
async function elicit(
  server: string,
  { message, requestedSchema }: ElicitRequestFormParams,
  context: Asking | undefined,
): Promise<ElicitResult> {
  if (context === undefined) return { action: "decline" };
  const form = requestedSchema as unknown as JsonObject;
  const approval = await context.ask({
    text: `the MCP server "${server}" asks: ${message}`,
    details: { server, form },
  });
  if (!approval.approved) return { action: approval.dismissed === true ? "cancel" : "decline" };
  const fields = fieldsOf(form);
  if (fields === undefined) return { action: "decline" };
  const content = { ...defaultsOf(fields), ...approval.input };
  return fits(content, fields)
    ? { action: "accept", content: content as NonNullable<ElicitResult["content"]> }
    : { action: "decline" };
}

function fits(content: JsonObject, fields: readonly FormField[]): boolean {
  const known = new Map(fields.map((field) => [field.name, field]));
  const isWhole = fields.every(({ name, isRequired }) => !isRequired || Object.hasOwn(content, name));
  return (
    isWhole &&
    Object.entries(content).every(([name, value]) => {
      const field = known.get(name);
      return field !== undefined && problemWith(field, value) === undefined;
    })
  );
}
