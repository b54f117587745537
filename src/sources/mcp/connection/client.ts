import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  Client,
  CreateMessageResult,
  JsonSchemaValidator,
  jsonSchemaValidator,
} from "@modelcontextprotocol/client";
import type { ToolContext } from "../../../core/context.ts";
import type { JsonObject } from "../../../core/json.ts";
import { elicit } from "./elicit.ts";
import type { Sdk } from "../transport/faults.ts";

/** Who wants a model's answer. */
export interface SampleAsker {
  /** The name of the server. */
  readonly server: string;
  /** The call that the server is at, where it is at one: it may be asked whether that is right. */
  readonly context: ToolContext | undefined;
}

/**
 * Asks a model on behalf of a server, in the protocol's own form. What it throws is what the server is told. The signal is aborted
 * when the server wants no answer any more.
 */
export type Sample = (request: JsonObject, signal: AbortSignal, asker: SampleAsker) => Promise<JsonObject>;

/** What a server may ask of us. */
export interface ClientPorts {
  /** Of the server. */
  readonly name: string;
  /** Folders that the server is told of. */
  readonly roots: readonly string[];
  /** Left out: sampling is declined. */
  readonly sample?: Sample;
  /** The call that the server is at, where it is at one. */
  readonly currentCall: () => ToolContext | undefined;
  /** Called each time that the server says so. */
  readonly onListChanged: (what: "tools" | "prompts" | "resources") => void;
}

/** A call is at one question, or a few; a server that asks more at once asks to tire people and to spend models. */
const MAX_OPEN_QUESTIONS = 8;
const TOO_MANY = `declined: more than ${MAX_OPEN_QUESTIONS} questions are open`;

/** A client that speaks for us: it offers roots, answers forms through the approver and declines what nobody can answer. */
export function createClient(sdk: Sdk, ports: ClientPorts, probeMs: number): Client {
  const { name, roots, sample, currentCall, onListChanged } = ports;
  const told = (what: Parameters<typeof onListChanged>[0]) => ({
    autoRefresh: false,
    // The client's own way starts anew with each change, and a server that never stops would never be heard.
    debounceMs: 0,
    onChanged: () => onListChanged(what),
  });
  const client = new sdk.Client(
    { name: "toolwright", version: "1" },
    {
      capabilities: {
        roots: {},
        elicitation: { form: {} },
        ...(sample !== undefined && { sampling: {} }),
      },
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } },
      listChanged: { tools: told("tools"), prompts: told("prompts"), resources: told("resources") },
      jsonSchemaValidator: acceptAll,
    },
  );
  client.setRequestHandler("roots/list", () => ({ roots: roots.map(toRoot) }));
  const limit = createLimit(MAX_OPEN_QUESTIONS);
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    const decline = { action: "decline" as const };
    if (params.mode === "url") return decline;
    return limit(() => elicit(name, params, currentCall())) ?? decline;
  });
  if (sample !== undefined)
    client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) => {
      const asker = { server: name, context: currentCall() };
      const answering = limit(() => sample(params as unknown as JsonObject, mcpReq.signal, asker));
      if (answering === undefined)
        throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidRequest, TOO_MANY);
      return (await answering) as unknown as CreateMessageResult;
    });
  client.fallbackRequestHandler = ({ method }) => Promise.reject(declined(sdk, method));
  return client;
}

/** Begins what it is given, unless so much of it has begun and not ended: then nothing, and gives undefined. */
function createLimit(max: number): <T>(begin: () => Promise<T>) => Promise<T> | undefined {
  let open = 0;
  return (begin) => {
    if (open >= max) return undefined;
    open += 1;
    return begin().finally(() => (open -= 1));
  };
}

/** Outputs are checked by the engine, whose guards the client's own check lacks. */
const acceptAll: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

function toRoot(folder: string): { uri: string; name: string } {
  return { uri: pathToFileURL(folder).href, name: basename(folder) };
}

function declined(sdk: Sdk, method: string): Error {
  const why =
    method === "sampling/createMessage" ? "no model is set up for sampling" : `${method} is unknown`;
  return new sdk.ProtocolError(sdk.ProtocolErrorCode.MethodNotFound, `declined: ${why}`);
}
