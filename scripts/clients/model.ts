import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { parseJson } from "../../src/util/json/parse-json.ts";
import type { StreamedCall } from "../../test/support/models/provider-wire.ts";
import { CALLER, WAITING, isNameOf, readRequest, streamAnswer, type Received } from "./wires.ts";

/** A call that the model makes; the input may depend on the previous results. */
export interface Step {
  /** The name of the tool in the gateway. */
  readonly tool: string;
  readonly input: (received: Received) => JsonObject;
}

export interface Model {
  readonly port: number;
  /** The request with the most results: all that the model received. */
  readonly received: () => Received;
  close(): Promise<void>;
}

/**
 * Starts a model on loopback that makes these calls one after another: the number of results in a request names the next step. `onCall` is
 * called with the index of each step when its call is sent.
 */
export async function startModel(steps: readonly Step[], onCall: (step: number) => void): Promise<Model> {
  let received: Received = { own: [], tools: [], results: [] };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    const parsed = parseJson(await text(request));
    const body = isObject(parsed) ? parsed : {};
    const read = readRequest(path, body);
    if (read === undefined) {
      response
        .writeHead(404, { "content-type": "application/json" })
        .end('{"error":{"message":"not found"}}');
      return;
    }
    if (read.tools.length >= received.tools.length && read.results.length >= received.results.length)
      received = read;
    const index = read.results.length;
    const step = steps[index];
    const name = step && read.tools.find((one) => isNameOf(one, step.tool));
    if (step !== undefined && name !== undefined) onCall(index);
    const call =
      step === undefined || name === undefined
        ? waitingCall(read)
        : callOf(`call_${index}`, name, step.input(read), read);
    const content = streamAnswer(path, call);
    response.writeHead(200, { "content-type": "text/event-stream" }).end(content);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const SELECTED = ["read_file", "write_file", "shell", "read_artifact", "raw__answer"]
  .map((name) => `mcp__toolwright__${name}`)
  .join(",");

/** Some clients make their first request before the gateway has listed its tools: a call of one of their own tools lets them wait. */
const OWN_TOOLS: Readonly<Record<string, JsonObject>> = {
  // Claude Code loads the tools of servers when its model searches them.
  ToolSearch: { query: `select:${SELECTED}` },
  exec_command: { cmd: "sleep 1" },
};

function waitingCall({ own, tools }: Received): StreamedCall | undefined {
  const name = tools.length > 0 ? undefined : own.find((one) => OWN_TOOLS[one] !== undefined);
  return name === undefined ? undefined : { id: WAITING, name, json: JSON.stringify(OWN_TOOLS[name]) };
}

function callOf(id: string, name: string, input: JsonObject, { own }: Received): StreamedCall {
  return own.includes(CALLER)
    ? { id, name: CALLER, json: JSON.stringify({ name, arguments: input }) }
    : { id, name, json: JSON.stringify(input) };
}
