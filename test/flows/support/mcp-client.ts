import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TOKEN_FILES } from "../../../src/app/config/access/http-tokens.ts";
import { PassThrough, type Readable, type Writable } from "node:stream";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import {
  Client,
  StreamableHTTPClientTransport,
  type ClientOptions,
  type CreateMessageRequest,
  type CreateMessageResult,
  type ElicitRequest,
  type ElicitResult,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createLineReader } from "../../../src/util/text/line-reader.ts";
import { CollectingStream, LAUNCHER, environmentOf, startMain, startRun, until, type Place } from "./cli.ts";

export interface McpOptions {
  /** Flags after `mcp`. */
  readonly args?: readonly string[];
  /** Without it, the client does not support elicitation. */
  readonly elicit?: (request: ElicitRequest["params"]) => ElicitResult | Promise<ElicitResult>;
  /** The newest revision, which has no handshake. */
  readonly isModern?: boolean;
  /** The folders that the client names as its roots; without it, the client does not support roots. */
  readonly roots?: readonly string[];
  /** Answers sampling requests; without it, the client does not support sampling. */
  readonly sample?: (request: CreateMessageRequest["params"]) => CreateMessageResult;
  /** The folder in which the program is started; default: the folder of the place. */
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Connected {
  readonly client: Client;
  /** The standard error so far. */
  readonly told: () => string;
  /** The notifications of the server. */
  readonly heard: { readonly method: string; readonly params?: unknown }[];
}

/** Starts the program in this process and connects the SDK's client to it; both end with the test. */
export async function connectMcp(t: TestContext, place: Place, options: McpOptions = {}): Promise<Connected> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new CollectingStream()];
  const own = { folder: options.cwd ?? place.folder, environment: environmentOf(place, options.environment) };
  const { ended } = startMain(own, ["mcp", ...(options.args ?? [])], { stdin, stdout, stderr });
  void ended.then(() => stdout.end());
  const { client, heard } = createClient(options);
  t.after(() => client.close());
  await client.connect(lineTransport(stdout, stdin));
  return { client, heard, told: () => stderr.text() };
}

/** Sends messages to a program as lines, and reads its own; closing it waits for the end of the program. */
function lineTransport(from: Readable, to: Writable): Transport {
  const ended = new Promise((resolve) => from.on("end", resolve));
  const transport: Transport = {
    async start() {
      const read = createLineReader({
        maxCharacters: Infinity,
        onLine: (line) => transport.onmessage?.(JSON.parse(line) as JSONRPCMessage),
        onTooLong: () => undefined,
      });
      from.setEncoding("utf8").on("data", read);
      void ended.then(() => transport.onclose?.());
    },
    async send(message) {
      to.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      to.end();
      await ended;
    },
  };
  return transport;
}

/** Like `connectMcp`, in a process of its own. `launcher` starts the program; default: that of this package. */
export async function connectProcess(
  t: TestContext,
  place: Place,
  { launcher = LAUNCHER, ...options }: McpOptions & { readonly launcher?: string } = {},
): Promise<Connected & { readonly pid: number }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, "mcp", ...(options.args ?? [])],
    cwd: options.cwd ?? place.folder,
    env: environmentOf(place, options.environment),
    stderr: "pipe",
  });
  let told = "";
  transport.stderr?.on("data", (chunk) => (told += String(chunk)));
  const { client, heard } = createClient(options);
  t.after(() => client.close());
  await client.connect(transport);
  return { client, heard, pid: transport.pid ?? 0, told: () => told };
}

/** Starts the program over HTTP in this process and returns its address, with the token for which forms count; it ends with the test. */
export async function serveMcp(
  t: TestContext,
  place: Place,
  args: readonly string[] = [],
): Promise<{ readonly address: URL }> {
  const { finished, shown, terminate } = startRun(place, ["mcp", "--http", "0", ...args]);
  t.after(() => {
    terminate();
    return finished;
  });
  let code: number | null | undefined;
  void finished.then((end) => (code = end.code));
  await until("the address is printed", () => shown.stdout.includes("\n") || code !== undefined);
  if (code !== undefined) throw new Error(`it ended with ${code}: ${shown.stderr}`);
  const address = new URL(shown.stdout.trim());
  address.searchParams.set("token", readFileSync(join(place.home, TOKEN_FILES.admin), "utf8").trim());
  return { address };
}

export async function connectHttp(
  t: TestContext,
  address: URL,
  options: McpOptions = {},
): Promise<Connected> {
  const { client, heard } = createClient(options);
  t.after(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(address));
  return { client, heard, told: () => "" };
}

function createClient({
  elicit,
  roots,
  sample,
  isModern = false,
}: McpOptions): Pick<Connected, "client" | "heard"> {
  const options: ClientOptions = {
    capabilities: {
      ...(elicit !== undefined && { elicitation: { form: {} } }),
      ...(roots !== undefined && { roots: {} }),
      ...(sample !== undefined && { sampling: {} }),
    },
    ...(isModern && { versionNegotiation: { mode: "auto" } }),
  };
  const client = new Client({ name: "test", version: "1" }, options);
  const heard: { method: string; params?: unknown }[] = [];
  if (elicit !== undefined) client.setRequestHandler("elicitation/create", ({ params }) => elicit(params));
  if (sample !== undefined)
    client.setRequestHandler("sampling/createMessage", ({ params }) => sample(params));
  if (roots !== undefined)
    client.setRequestHandler("roots/list", () => ({
      roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })),
    }));
  client.fallbackNotificationHandler = (notification) => {
    heard.push(notification);
    return Promise.resolve();
  };
  return { client, heard };
}

/** The text of an answer. */
export function textOf(result: { readonly content?: unknown }): string {
  const content = (result.content ?? []) as readonly { readonly type: string; readonly text?: string }[];
  return content.map((piece) => piece.text ?? "").join("\n");
}
