import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PassThrough, Readable, Writable } from "node:stream";
import type { TestContext } from "node:test";
import {
  client,
  ndJsonStream,
  type ClientApp,
  type ClientCapabilities,
  type ClientContext,
  type ContentBlock,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { startMain } from "./cli.ts";
import type { ReplPlace } from "./repl.ts";

const LIMIT_MS = 60_000;

type Of<Kind extends SessionUpdate["sessionUpdate"]> = Extract<SessionUpdate, { sessionUpdate: Kind }>;

/** An editor that drives the program through the official client library. */
export interface Editor {
  readonly agent: ClientContext;
  /** The updates so far, in order. */
  readonly updates: readonly SessionUpdate[];
  readonly permissions: readonly RequestPermissionRequest[];
  /** Waits for an update of a kind that holds. */
  readonly until: <Kind extends SessionUpdate["sessionUpdate"]>(
    kind: Kind,
    holds?: (update: Of<Kind>) => boolean,
  ) => Promise<Of<Kind>>;
  /** Closes standard input and returns the exit code. */
  leave(): Promise<number>;
}

export interface EditorOptions {
  /** Chooses the id of an option. */
  readonly answer?: (request: RequestPermissionRequest) => string;
  readonly capabilities?: ClientCapabilities;
  /** Adds handlers of requests. */
  readonly with?: (app: ClientApp) => ClientApp;
  readonly flags?: readonly string[];
}

/** Starts `toolwright acp` in this process and connects to it. Fails the test if a message does not match the protocol's schema. */
export async function openEditor(
  t: TestContext,
  place: ReplPlace,
  options: EditorOptions = {},
): Promise<Editor> {
  const { answer = () => "no", capabilities = {}, flags = [] } = options;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const args = ["acp", "--model", `scripted/${place.folder}/story.jsonl`, ...flags];
  const { ended } = startMain(place, args, { stdin, stdout, stderr });
  stderr.resume();
  const check = createCheck();
  const toAgent = new PassThrough();
  const fromAgent = new PassThrough();
  check.tap(toAgent, stdin, "client");
  check.tap(stdout, fromAgent, "agent");
  const updates: SessionUpdate[] = [];
  const permissions: RequestPermissionRequest[] = [];
  let look = (): void => undefined;
  const base = client({ name: "test" })
    .onNotification("session/update", ({ params }) => {
      updates.push(params.update);
      look();
    })
    .onRequest("session/request_permission", ({ params }) => {
      permissions.push(params);
      const optionId = answer(params);
      return optionId === "cancelled"
        ? { outcome: { outcome: "cancelled" } }
        : { outcome: { outcome: "selected", optionId } };
    });
  const app = options.with?.(base) ?? base;
  const input = Readable.toWeb(fromAgent) as ReadableStream<Uint8Array>;
  const connection = app.connect(ndJsonStream(Writable.toWeb(toAgent) as WritableStream<Uint8Array>, input));
  const leave = async (): Promise<number> => {
    stdin.end();
    const code = await ended;
    assert.deepEqual(check.faults, []);
    return code;
  };
  t.after(leave);
  const { agentCapabilities, protocolVersion } = await connection.agent.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: capabilities,
  });
  assert.deepEqual([protocolVersion, agentCapabilities?.loadSession], [1, true]);
  const find = <Kind extends SessionUpdate["sessionUpdate"]>(
    kind: Kind,
    holds: (update: Of<Kind>) => boolean,
  ): Of<Kind> | undefined =>
    updates.find((one): one is Of<Kind> => one.sessionUpdate === kind && holds(one as Of<Kind>));
  return {
    agent: connection.agent,
    updates,
    permissions,
    leave,
    until: (kind, holds = () => true) =>
      new Promise((settle, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`no ${kind} that holds in ${JSON.stringify(updates)}`)),
          LIMIT_MS,
        );
        look = () => {
          const found = find(kind, holds);
          if (found === undefined) return;
          clearTimeout(timer);
          settle(found);
        };
        look();
      }),
  };
}

type Message = Readonly<Record<string, unknown>>;

/** Checks every message against the definition of its method in the schema that the SDK ships. */
function createCheck() {
  const file = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
  const schema = JSON.parse(readFileSync(file, "utf8")) as { $defs: Record<string, Message> };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, discriminator: false });
  ajv.addSchema(schema, "acp");
  const checks = new Map<string, ValidateFunction>();
  const definitionOf = (method: unknown, ending: string): ValidateFunction | undefined => {
    const isIt = ([name, one]: [string, Message]): boolean =>
      one["x-method"] === method && name.endsWith(ending);
    const [name] = Object.entries(schema.$defs).find(isIt) ?? [];
    if (name === undefined) return undefined;
    const known = checks.get(name) ?? ajv.compile({ $ref: `acp#/$defs/${name}` });
    checks.set(name, known);
    return known;
  };
  const faults: string[] = [];
  const methods = new Map<string, unknown>();
  const take = (message: Message, from: "agent" | "client"): void => {
    const { id, method, params, result, jsonrpc, error } = message;
    const to = from === "agent" ? "client" : "agent";
    const isRequest = method !== undefined && id !== undefined;
    if (isRequest) methods.set(`${from} ${JSON.stringify(id)}`, method);
    if (error !== undefined) return;
    const named = method ?? methods.get(`${to} ${JSON.stringify(id)}`);
    const kind = isRequest ? "Request" : method === undefined ? "Response" : "Notification";
    const validate = definitionOf(named, kind);
    if (validate === undefined) return void faults.push(`${from}: unknown ${kind} ${JSON.stringify(named)}`);
    const value = kind === "Response" ? result : params;
    if (jsonrpc === "2.0" && validate(value)) return undefined;
    return void faults.push(
      `${from}: ${kind} ${JSON.stringify(named)}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(value)}`,
    );
  };
  return {
    faults,
    tap(from: PassThrough, to: PassThrough, side: "agent" | "client"): void {
      let rest = "";
      from.on("data", (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line !== "") take(JSON.parse(line) as Message, side);
        to.write(chunk);
      });
      from.on("end", () => to.end());
    },
  };
}

/** A prompt. */
export const text = (content: string): ContentBlock[] => [{ type: "text", text: content }];

/** A call of the scripted model. */
export const call = (name: string, input: object) => ({ name, input });

/** The whole text of the agent's messages. */
export function saidTo({ updates }: Editor): string {
  return updates
    .flatMap((one) => (one.sessionUpdate === "agent_message_chunk" ? [one.content] : []))
    .map((content) => (content.type === "text" ? content.text : ""))
    .join("");
}
