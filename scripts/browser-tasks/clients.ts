import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** What a server has sent to the model. */
export interface Sent {
  calls: number;
  bytes: number;
  imageBytes: number;
}

/** How the tools of one server are used: the same verbs for each. Elements are named by role and name, as the model reads them in the last page. */
export interface Verbs {
  readonly goTo: (url: string) => Promise<Answer>;
  readonly click: (role: string, name: string) => Promise<Answer>;
  readonly type: (name: string, text: string, submits?: boolean) => Promise<Answer>;
  readonly select: (name: string, option: string) => Promise<Answer>;
  readonly read: () => Promise<Answer>;
  /** Brings an element of a long page into what was read. */
  readonly find: (name: string) => Promise<Answer>;
  readonly evaluate: (code: string) => Promise<Answer>;
  readonly answerDialog: (accept: boolean, text?: string) => Promise<Answer>;
  readonly upload: (name: string) => Promise<Answer>;
  readonly listTabs: () => Promise<Answer>;
  readonly closeTab: () => Promise<Answer>;
  readonly scroll: () => Promise<Answer>;
  readonly hover: (name: string) => Promise<Answer>;
  readonly readConsole: () => Promise<Answer>;
  readonly savePdf: () => Promise<Answer>;
  readonly screenshot: () => Promise<Answer>;
}

export interface PeerOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The tools of the browser among those that the server has. */
  readonly isBrowserTool: (name: string) => boolean;
  /** Returns the text that the model has to read in a file that an answer names, which takes another call; undefined if there is none. */
  readonly fileOf: (text: string) => string | undefined;
  /** True for an answer that shows elements. */
  readonly showsElements: (text: string) => boolean;
  readonly verbs: (call: Call, lastPage: () => string) => Verbs;
}

type Call = (name: string, input: Readonly<Record<string, unknown>>) => Promise<Answer>;

/** A server that is used through MCP. */
export interface Peer extends Verbs {
  readonly tools: number;
  readonly schemaBytes: number;
  readonly sent: Sent;
  /** The last answer that shows elements. */
  readonly lastPage: () => string;
  close(): Promise<void>;
}

/** Starts a server and connects to it. */
export async function openPeer(options: PeerOptions): Promise<Peer> {
  const client = new Client({ name: "browser-tasks", version: "1.0.0" });
  const { command, args, folder, environment = {} } = options;
  const env = { ...process.env, ...environment } as Record<string, string>;
  await client.connect(
    new StdioClientTransport({ command, args: [...args], cwd: folder, env, stderr: "ignore" }),
  );
  const listed = (await client.listTools()).tools.filter(({ name }) => options.isBrowserTool(name));
  const sent: Sent = { calls: 0, bytes: 0, imageBytes: 0 };
  let last = "";
  const call: Call = async (name, input) => {
    sent.calls += 1;
    const { content, isError } = (await client.callTool({ name, arguments: { ...input } })) as {
      readonly content: readonly { readonly type: string; readonly text?: string; readonly data?: string }[];
      readonly isError?: boolean;
    };
    let text = content.map((part) => part.text ?? "").join("");
    for (const { data } of content) sent.imageBytes += Math.floor(((data?.length ?? 0) * 3) / 4);
    sent.bytes += Buffer.byteLength(text);
    const file = options.fileOf(text);
    if (file !== undefined) {
      sent.calls += 1;
      sent.bytes += Buffer.byteLength(file);
      text += file;
    }
    if (options.showsElements(text)) last = text;
    return {
      text: content.some(({ type }) => type === "image") ? `${text} [image]` : text,
      isError: isError === true,
    };
  };
  const verbs = options.verbs(call, () => last);
  return {
    ...verbs,
    async goTo(url) {
      const answer = await verbs.goTo(url);
      if (answer.isError) throw new Error(`${url} was not opened: ${answer.text.slice(0, 200)}`);
      return answer;
    },
    tools: listed.length,
    schemaBytes: JSON.stringify(listed).length,
    sent,
    lastPage: () => last,
    close: () => client.close(),
  };
}
