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
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { LAUNCHER, startCli, until, type Place } from "./cli.ts";

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
  /** The file that starts the program; default: that of this package. */
  readonly launcher?: string;
}

export interface Connected {
  readonly client: Client;
  /** Of the real process. */
  readonly pid: number;
  /** The standard error so far. */
  readonly told: () => string;
  /** The notifications of the server. */
  readonly heard: { readonly method: string; readonly params?: unknown }[];
}

/** Starts the real program and connects the SDK's client to it; both are gone after the test. */
export async function connectMcp(t: TestContext, place: Place, options: McpOptions = {}): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [options.launcher ?? LAUNCHER, "mcp", ...(options.args ?? [])],
    cwd: options.cwd ?? place.folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: place.home,
      TOOLWRIGHT_HOME: place.home,
      ...options.environment,
    },
    stderr: "pipe",
  });
  let told = "";
  transport.stderr?.on("data", (chunk) => (told += String(chunk)));
  const { client, heard } = createClient(options);
  t.after(() => client.close());
  await client.connect(transport);
  return { client, heard, pid: transport.pid ?? 0, told: () => told };
}

/** Starts the real program over HTTP; its address is given and the process ended after the test. */
export async function serveMcp(
  t: TestContext,
  place: Place,
  args: readonly string[] = [],
): Promise<{ readonly address: URL; readonly pid: number }> {
  const { child, shown, finished } = startCli(place, ["mcp", "--http", "0", ...args]);
  t.after(async () => {
    child.kill("SIGTERM");
    await finished;
  });
  let code: number | null | undefined;
  void finished.then((end) => (code = end.code));
  await until("the address is printed", () => shown.stdout.includes("\n") || code !== undefined);
  if (code !== undefined) throw new Error(`it ended with ${code}: ${shown.stderr}`);
  return { address: new URL(shown.stdout.trim()), pid: child.pid ?? 0 };
}

export async function connectHttp(
  t: TestContext,
  address: URL,
  options: McpOptions = {},
): Promise<Connected> {
  const { client, heard } = createClient(options);
  t.after(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(address));
  return { client, heard, pid: 0, told: () => "" };
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
