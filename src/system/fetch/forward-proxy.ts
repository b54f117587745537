import {
  createServer,
  request as sendRequest,
  STATUS_CODES,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ToolError } from "../../core/errors.ts";
import { errorMessage, withHint } from "../../util/text/error-message.ts";
import { fixedLookup, withoutBrackets } from "./addresses.ts";
import { toToolError } from "./fetcher.ts";
import { checkAddresses, portOf, type Guard } from "./guard.ts";
import { defined } from "../../util/json/defined.ts";

const CONNECT_MS = 10_000;
const USER = "proxy";

/** The header of the answer to a tunnel that was not opened; its value is the reason. */
export const REFUSED_HEADER = "x-toolwright-proxy";

export interface ForwardProxyOptions {
  readonly guard: Guard;
  /** Throws `DENIED` for a host that a rule forbids. */
  readonly checkHost?: (host: string) => void;
  /** The URL of a proxy that connections go through; undefined: directly to the address that the guard checked. */
  readonly upstream?: () => string | undefined;
  /** The password that clients must send; default: none. */
  readonly password?: string;
  /** Listens on this socket; default: on a port of loopback. */
  readonly socketPath?: string;
  /** Called for each connection that was refused with `DENIED`, or could not be made. */
  readonly onRefused?: (refused: Refused) => void;
}

/** A connection that the proxy did not make. */
export interface Refused {
  readonly host: string;
  readonly port: number;
  readonly error: ToolError;
}

/**
 * Opens an HTTP proxy for one program. It connects only to addresses that the guard has checked just before, whatever the program
 * asks for: redirects, names that resolve to something else later, WebSockets and requests of scripts.
 */
export async function openForwardProxy(options: ForwardProxyOptions) {
  const sockets = new Set<Socket>();
  const { password } = options;
  const isKnown = ({ headers }: IncomingMessage): boolean =>
    password === undefined || headers["proxy-authorization"] === toLogin(USER, password);
  const server = createServer((request, response) => {
    if (isKnown(request)) void forward(options, request, response);
    else refuse(response, 407, unknownClient());
  });
  server.on("connect", (request, client, head) => {
    client.on("error", () => client.destroy());
    if (isKnown(request)) void tunnel(options, request, client, head);
    else refuseTunnel(client, 407, unknownClient());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    if (options.socketPath === undefined) server.listen(0, "127.0.0.1", resolve);
    else server.listen(options.socketPath, resolve);
  });
  // The program that uses it keeps this process running, or nothing does.
  server.unref();
  const address = server.address();
  const login = password === undefined ? "" : `${USER}:${password}@`;
  return {
    /** Its address with the password, unless it listens on a socket. */
    url: typeof address === "object" ? `http://${login}127.0.0.1:${(address as AddressInfo).port}` : "",
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function unknownClient(): ToolError {
  return new ToolError("DENIED", "this proxy is part of another one");
}

function toLogin(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** Where a connection goes: an address that was checked, or a proxy. */
interface Route {
  readonly host: string;
  readonly port: number;
  readonly lookup?: RequestOptions["lookup"];
  /** The value of `Proxy-Authorization`. */
  readonly login?: string;
  readonly isProxy: boolean;
}

async function findRoute(options: ForwardProxyOptions, url: URL): Promise<Route> {
  const { guard, checkHost, upstream } = options;
  const host = withoutBrackets(url.hostname);
  const port = portOf(url);
  try {
    guard.check(url);
    checkHost?.(host);
    const proxy = upstream?.();
    if (proxy === undefined) {
      const addresses = await guard.addressesOf(host, port);
      return { host, port, lookup: fixedLookup(addresses), isProxy: false };
    }
    await checkAddresses(guard, url);
    return toProxy(new URL(proxy));
  } catch (error) {
    reportFailure(options, url, error);
    throw error;
  }
}

function toProxy(url: URL): Route {
  const { username, password } = url;
  return {
    host: withoutBrackets(url.hostname),
    port: portOf(url),
    isProxy: true,
    ...(username !== "" && { login: toLogin(decodeURIComponent(username), decodeURIComponent(password)) }),
  };
}

/** Answers a request for an `http:` URL. */
async function forward(
  options: ForwardProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const url = URL.parse(request.url ?? "");
    if (url?.protocol !== "http:") throw new ToolError("INVALID_INPUT", "this is a proxy for one program");
    const { host, port, lookup, login, isProxy } = await findRoute(options, url);
    const { "proxy-connection": _, "proxy-authorization": _login, ...headers } = request.headers;
    const sent = sendRequest({
      host,
      port,
      ...defined({ lookup }),
      method: request.method ?? "GET",
      path: isProxy ? url.href : `${url.pathname}${url.search}`,
      headers: login === undefined ? headers : { ...headers, "proxy-authorization": login },
      agent: false,
    });
    sent.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers);
      answer.on("error", () => response.destroy());
      answer.pipe(response);
    });
    sent.on("error", (error) => {
      if (!response.destroyed && !response.headersSent) reportFailure(options, url, error);
      refuse(response, 502, error);
    });
    response.on("close", () => sent.destroy());
    request.pipe(sent);
  } catch (error) {
    refuse(response, error instanceof ToolError ? 403 : 502, error);
  }
}

/** Reports a connection that could not be made. */
function reportFailure({ onRefused, upstream }: ForwardProxyOptions, url: URL, cause: unknown): void {
  const error = toToolError(cause, url, upstream?.());
  onRefused?.({ host: withoutBrackets(url.hostname), port: portOf(url), error });
}

function refuse(response: ServerResponse, status: number, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(errorMessage(error));
}

/** Connects a tunnel, which HTTPS and WebSockets use. */
async function tunnel(
  options: ForwardProxyOptions,
  { url: authority = "" }: IncomingMessage,
  client: Duplex,
  head: Buffer,
): Promise<void> {
  try {
    const url = new URL(`http://${authority}`);
    const { host, port, lookup, login, isProxy } = await findRoute(options, url);
    if (client.destroyed) return;
    const server = connect({ host, port, ...defined({ lookup }), allowHalfOpen: true });
    let isConnected = false;
    server.setTimeout(CONNECT_MS, () =>
      server.destroy(new Error(`${host} accepted no connection within ${CONNECT_MS / 1000} s`)),
    );
    server.on("error", (error) => {
      if (!isConnected && !client.destroyed) reportFailure(options, url, error);
      if (isConnected) client.destroy();
      else refuseTunnel(client, 502, error);
    });
    client.on("close", () => server.destroy());
    server.on("connect", () => {
      isConnected = true;
      server.setTimeout(0);
      server.on("close", () => client.destroy());
      // The other proxy answers the CONNECT itself.
      if (isProxy) server.write(connectRequest(authority, login));
      else client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      server.write(head);
      client.pipe(server).pipe(client);
    });
  } catch (error) {
    refuseTunnel(client, error instanceof ToolError ? 403 : 502, error);
  }
}

/** Clients of an intercepting proxy get this as the response to their request. */
function refuseTunnel(client: Duplex, status: number, error: unknown): void {
  const reason = (error instanceof ToolError ? withHint(error) : errorMessage(error)).toWellFormed();
  const text = `The proxy did not send the request: ${reason}\n`;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `${REFUSED_HEADER}: ${encodeURIComponent(reason)}`,
    "content-type: text/plain; charset=utf-8",
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  client.end(`${lines.join("\r\n")}\r\n\r\n${text}`);
}

function connectRequest(authority: string, login: string | undefined): string {
  const more = login === undefined ? "" : `proxy-authorization: ${login}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${more}\r\n`;
}
