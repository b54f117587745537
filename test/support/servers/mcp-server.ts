// A raw MCP server for tests: JSON-RPC lines on standard input and output, and every misbehaviour that its file asks for.
import { execFileSync, spawn } from "node:child_process";
import { closeSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The plan of a server, set by a test and read again for every list. */
export interface ServerPlan {
  readonly tools?: readonly unknown[];
  /** Tools that are listed only to clients that support sampling. */
  readonly samplingTools?: readonly unknown[];
  readonly resources?: readonly unknown[];
  readonly templates?: readonly unknown[];
  readonly prompts?: readonly unknown[];
  readonly instructions?: string;
  /** Its behaviour at its start. */
  readonly start?: "hang" | "wait" | "die" | "noise" | "flood" | "ignore-term";
  /** Its behaviour at an unknown request before the handshake. */
  readonly unknown?: "die" | "silent";
  /** The file in which it records received messages. */
  readonly diary?: string;
}

const file = process.argv[2] ?? "";
const plan = (): ServerPlan => JSON.parse(readFileSync(file, "utf8")) as ServerPlan;
const { start, diary } = plan();
const waiting = new Map<number | string, (answer: Message) => void>();
let isGreeted = false;
let hasSampling = false;
let asked = 1000;

const send = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const note = (text: string): void => {
  if (diary !== undefined) writeFileSync(diary, `${text}\n`, { flag: "a" });
};
const text = (value: unknown): object => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});

note(`started ${process.pid}`);
if (start === "die") {
  process.stderr.write("cannot find my config\n");
  process.exit(7);
}
if (start === "noise") process.stdout.write("Welcome to the server!\n{not json\n");
if (start === "flood") process.stderr.write("x".repeat(64).concat("\n").repeat(200_000));
// Reads nothing until its plan no longer says so.
if (start === "wait") {
  note("waiting");
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (plan().start === "wait") Atomics.wait(never, 0, 0, 20);
}
if (start === "ignore-term") process.on("SIGTERM", () => note("TERM"));

/** Sends a request to the client and returns its answer. */
function ask(method: string, params: object): Promise<Message> {
  asked += 1;
  const id = asked;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

/** Starts a program in a session of its own whose parent has ended. */
function daemon(): { readonly pid: number } {
  const script = "setsid sleep 600 >/dev/null 2>&1 </dev/null & echo $!";
  return { pid: Number(execFileSync("sh", ["-c", script], { encoding: "utf8" })) };
}

const TOOLS: Readonly<Record<string, (id: unknown, input: Record<string, unknown>) => unknown>> = {
  echo: (_id, input) => text(input["text"] ?? "nothing"),
  answer: (_id, input) => input["result"],
  env: () => text(process.env),
  die() {
    process.stderr.write("out of cheese\n");
    return wait(20).then(() => process.exit(9));
  },
  leave(_id, input) {
    const { pid } = input["as"] === "daemon" ? daemon() : spawn("sleep", ["600"], { stdio: "ignore" });
    note(`left ${pid}`);
    if (input["then"] === "die") process.exit(9);
    // It ends when its input is closed, even with child processes.
    process.stdin.on("end", () => process.exit(0));
    return text("left");
  },
  /** Sends requests without end, and reads no answer. */
  nag() {
    lines.pause();
    const nag = (): void => {
      asked += 1;
      const line = `${JSON.stringify({ jsonrpc: "2.0", id: `${asked}`.padStart(4000), method: "ping" })}\n`;
      if (process.stdout.write(line)) setImmediate(nag);
      else process.stdout.once("drain", nag);
    };
    nag();
  },
  hang: () => new Promise(() => undefined),
  /** Closes its standard output without exiting. */
  mute() {
    closeSync(1);
    setInterval(() => undefined, 1000);
    return new Promise(() => undefined);
  },
  big: (_id, input) => text("x".repeat(Number(input["bytes"]))),
  wrong: (id) => send({ id: Number(id) + 5000, result: text("for someone else") }),
  async spam(id, input) {
    for (let count = 1; count <= Number(input["count"]); count += 1) {
      const params = { progressToken: id, progress: count, total: Number(input["count"]) };
      send({ method: "notifications/progress", params });
    }
    return text("done");
  },
  async elicit(_id, input) {
    return text((await ask("elicitation/create", input)).result);
  },
  /** Sends the same request many times at once, and returns all answers. */
  async interrogate(_id, input) {
    const { method, count, ...params } = input;
    const asking = Array.from({ length: Number(count) }, async () => {
      const { result, error } = await ask(String(method), params);
      note("answered");
      return result ?? error;
    });
    return text(await Promise.all(asking));
  },
  async sample(_id, input) {
    const params = { messages: [], maxTokens: 10, ...input };
    const answer = await ask("sampling/createMessage", params);
    return text(answer.error ?? answer.result);
  },
  async roots() {
    return text((await ask("roots/list", {})).result);
  },
  "changed-lists": () => {
    for (const what of ["resources", "prompts"]) send({ method: `notifications/${what}/list_changed` });
    return text("told");
  },
  updated(_id, input) {
    const params = { uri: input["uri"] };
    for (let count = 0; count < Number(input["count"]); count += 1)
      send({ method: "notifications/resources/updated", params });
    return text("told");
  },
  log(_id, input) {
    send({ method: "notifications/message", params: input });
    return text("logged");
  },
  storm() {
    setInterval(() => send({ method: "notifications/tools/list_changed" }), 10);
    return text("told");
  },
  changed() {
    send({ method: "notifications/tools/list_changed" });
    return text("told");
  },
  fault: (id, input) => send({ id, error: input["error"] }),
  refuse: () => Promise.reject(new Error("bad arguments")),
  read: (_id, input) => text(outcome(() => readFileSync(String(input["path"]), "utf8"))),
  write: (_id, input) => text(outcome(() => writeFileSync(String(input["path"]), "written") ?? "ok")),
  move: (_id, input) => text(outcome(() => renameSync(String(input["from"]), String(input["to"])) ?? "ok")),
  processes: () => text(readdirSync("/proc").filter((name) => /^\d+$/.test(name)).length),
  dial: (_id, input) =>
    new Promise((resolve) => {
      const socket = connect(Number(input["port"]), "127.0.0.1");
      socket
        .on("connect", () => resolve(text("connected")))
        .on("error", ({ message }) => resolve(text(message)));
    }),
};

function outcome(act: () => string): string {
  try {
    return act();
  } catch (error) {
    return String(error);
  }
}

async function call(id: unknown, params: Readonly<Record<string, unknown>>): Promise<void> {
  const run = TOOLS[String(params["name"])] ?? TOOLS["echo"];
  try {
    const result = await run?.(id, (params["arguments"] ?? {}) as Record<string, unknown>);
    if (result !== undefined && result !== true) send({ id, result });
  } catch (error) {
    send({ id, error: { code: -32602, message: String(error) } });
  }
}

function listOf(params: Readonly<Record<string, unknown>> | undefined): object {
  const { tools: always = [], samplingTools = [] } = plan();
  const tools = hasSampling ? [...always, ...samplingTools] : always;
  // Pages of two, so that a client that reads only the first page fails; of a long list at most fifty pages.
  const from = Number(params?.["cursor"] ?? 0);
  const next = from + Math.max(2, Math.ceil(tools.length / 50));
  return { tools: tools.slice(from, next), ...(next < tools.length && { nextCursor: String(next) }) };
}

/** A form of the server, which its prompt and its resource named `asking` show. */
const FORM = {
  message: "Who reads?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

async function askWho(): Promise<string> {
  return JSON.stringify((await ask("elicitation/create", FORM)).result);
}

type Read = (params: Readonly<Record<string, unknown>>) => object | Promise<object>;

const READ: Readonly<Record<string, Read>> = {
  "tools/list": listOf,
  "resources/list": () => ({ resources: plan().resources ?? [] }),
  "resources/templates/list": () => ({ resourceTemplates: plan().templates ?? [] }),
  "prompts/list": () => ({ prompts: plan().prompts ?? [] }),
  "resources/read": async ({ uri }) => {
    const read = String(uri).endsWith("asking") ? await askWho() : `read ${String(uri)}`;
    return { contents: [{ uri, mimeType: "text/plain", text: read }] };
  },
  "resources/subscribe": () => ({}),
  "resources/unsubscribe": () => ({}),
  "completion/complete": () => ({ completion: { values: ["completed"] } }),
  "prompts/get": async ({ name, arguments: given }) => {
    const said = name === "asking" ? await askWho() : JSON.stringify(given);
    return { messages: [{ role: "user", content: { type: "text", text: `${String(name)} ${said}` } }] };
  },
};

const LISTED = { listChanged: true };

function hear(message: Message): void {
  const { id, method, params = {} } = message;
  if (method === undefined) {
    waiting.get(id ?? "")?.(message);
    return;
  }
  note(method === "notifications/cancelled" ? `cancelled ${String(params["requestId"])}` : method);
  if (start === "hang") return;
  if (method === "initialize") {
    isGreeted = true;
    const client = params["capabilities"] as Readonly<Record<string, unknown>> | undefined;
    hasSampling = client?.["sampling"] !== undefined;
    const resources = { ...LISTED, subscribe: true };
    const capabilities = { tools: LISTED, resources, prompts: LISTED, completions: {} };
    const serverInfo = { name: "raw", version: "1" };
    const { instructions } = plan();
    send({
      id,
      result: { protocolVersion: params["protocolVersion"], capabilities, serverInfo, instructions },
    });
    return;
  }
  if (id === undefined) return;
  const { unknown } = plan();
  if (!isGreeted && unknown === "die") process.exit(1);
  if (!isGreeted && unknown === "silent") return;
  if (method === "tools/call") void call(id, params);
  else if (READ[method] !== undefined) void answer(id, READ[method](params));
  else send({ id, error: { code: -32601, message: `unknown method ${method}` } });
}

async function answer(id: unknown, result: object | Promise<object>): Promise<void> {
  send({ id, result: await result });
}

const lines = createInterface({ input: process.stdin })
  .on("line", (line) => hear(JSON.parse(line) as Message))
  .on("close", () => {
    note("input ended");
    // Reads nothing until its plan no longer says so.
    if (start === "wait") {
      note("waiting");
      const never = new Int32Array(new SharedArrayBuffer(4));
      while (plan().start === "wait") Atomics.wait(never, 0, 0, 20);
    }
    if (start === "ignore-term") setInterval(() => undefined, 1000);
  });
