import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Transform } from "node:stream";
import { text } from "node:stream/consumers";
import { isObject } from "../../src/core/json.ts";
import { parseJson } from "../../src/util/json/parse-json.ts";

export interface Proxy {
  readonly address: string;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** The upstream server whose name is added and removed. */
  readonly server?: string;
  /** True: requests of the protocol without a handshake are refused. */
  readonly isLegacy?: boolean;
  /** The key that the suite has for a question; ours is `approval`, and any key is allowed. */
  readonly question?: string;
}

/**
 * Forwards every request to a gateway and adds its token, which the suite does not send in all of its requests. With `server`, adds the
 * name of that upstream server to the names of tools and prompts, and removes it from answers: the suite has fixed names.
 */
export async function startProxy(
  target: string,
  { server, isLegacy = false, question = OWN_KEY }: ProxyOptions = {},
): Promise<Proxy> {
  const { origin, host, pathname, searchParams } = new URL(target);
  const prefix = server === undefined ? "" : `${server}__`;
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { headers, method } = incoming;
    if (isLegacy && headers["mcp-method"] !== undefined) {
      outgoing.writeHead(400).end();
      return;
    }
    const body = withKey(await text(incoming), "inputResponses", question, OWN_KEY);
    const sent = Buffer.from(prefix === "" ? body : withPrefix(body, prefix));
    const token = searchParams.get("token") ?? "";
    const sentHeaders = headersOf(headers, { host, own: own(), token, length: sent.length });
    // The newest protocol repeats the name in a header; one that differs stays, so that the gateway refuses it.
    const name = headers["mcp-name"];
    if (typeof name === "string" && String(sent).includes(`"name":"${prefix}${name}"`))
      sentHeaders["mcp-name"] = `${prefix}${name}`;
    const forwarded = request(`${origin}${pathname}`, { method, headers: sentHeaders }, (answer) => {
      // A renamed key or tool changes the length.
      const { "content-length": _, ...answerHeaders } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, answerHeaders).flushHeaders();
      const toSuite = (line: string): string =>
        withKey(withoutNames(line, prefix), "inputRequests", OWN_KEY, question);
      answer.pipe(byLine(toSuite)).pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    forwarded.end(sent);
  };
  const proxy = createServer((incoming, outgoing) => void forward(incoming, outgoing));
  const own = (): string => `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://${own()}${pathname}`,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

interface Forwarding {
  readonly host: string;
  /** The address of the proxy. */
  readonly own: string;
  readonly token: string;
  readonly length: number;
}

/** A foreign host stays, so that the gateway refuses it. */
function headersOf(
  headers: IncomingHttpHeaders,
  { host, own, token, length }: Forwarding,
): IncomingHttpHeaders {
  const toTarget = (value: string | undefined): string | undefined => value?.replace(own, host);
  const { origin } = headers;
  return {
    ...headers,
    host: toTarget(headers.host),
    authorization: `Bearer ${token}`,
    ...(origin !== undefined && { origin: toTarget(origin) }),
    ...(length > 0 && { "content-length": String(length) }),
  };
}

function withPrefix(body: string, prefix: string): string {
  const message = parseJson(body);
  if (!isObject(message) || !isObject(message["params"])) return body;
  const { method, params } = message;
  if (
    method === "completion/complete" &&
    isObject(params["ref"]) &&
    typeof params["ref"]["name"] === "string"
  ) {
    const ref = { ...params["ref"], name: `${prefix}${params["ref"]["name"]}` };
    return JSON.stringify({ ...message, params: { ...params, ref } });
  }
  if (method !== "tools/call" && method !== "prompts/get") return body;
  return JSON.stringify({ ...message, params: { ...params, name: `${prefix}${params["name"] as string}` } });
}

/** The key of our questions. */
const OWN_KEY = "approval";

/** Replaces the first key of a member of the message. */
function withKey(message: string, member: string, key: string, by: string): string {
  return key === by ? message : message.replace(`"${member}":{"${key}":`, `"${member}":{"${by}":`);
}

function withoutNames(line: string, prefix: string): string {
  return prefix === "" ? line : line.replaceAll(`"${prefix}`, '"');
}

/** Works on whole lines: a message is never split over two. */
function byLine(clean: (line: string) => string): Transform {
  let rest = "";
  return new Transform({
    transform(chunk, _encoding, done) {
      const lines = `${rest}${String(chunk)}`.split("\n");
      rest = lines.pop() ?? "";
      done(null, lines.map((line) => `${clean(line)}\n`).join(""));
    },
    flush: (done) => done(null, clean(rest)),
  });
}
