import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ToolError } from "../../core/errors.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { fixedLookup, withoutBrackets } from "./addresses.ts";
import { portOf, type Guard } from "./guard.ts";

export interface ForwardProxyOptions {
  readonly guard: Guard;
  /** Throws `DENIED` for a host that a rule forbids. */
  readonly checkHost?: (host: string) => void;
  /** The URL of a proxy that connections go through; undefined: directly to the address that the guard checked. */
  readonly upstream?: () => string | undefined;
  /** Listens on this socket; default: on a port of loopback. */
  readonly socketPath?: string;
  /** Called for each connection that was refused. */
  readonly onRefused?: (refused: Refused) => void;
}

/** A connection that the proxy did not make. */
export interface Refused {
  readonly host: string;
  readonly port: number;
  readonly error: ToolError;
}

/** An HTTP proxy for one program. */
export interface ForwardProxy {
  /** Its address, unless it listens on a socket. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Opens a proxy that connects only to addresses that the guard has checked just before, whatever the program asks for: redirects, names
 * that resolve to something else later, WebSockets and requests of scripts.
 */
export async function openForwardProxy(options: ForwardProxyOptions): Promise<ForwardProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void forward(options, request, response));
  server.on("connect", (request, client, head) => void tunnel(options, request, client, head));
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
  return {
    url: typeof address === "object" ? `http://127.0.0.1:${(address as AddressInfo).port}` : "",
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
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

async function findRoute(
  { guard, checkHost, upstream, onRefused }: ForwardProxyOptions,
  url: URL,
): Promise<Route> {
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
    // A name that only the other proxy can resolve is left to it.
    await guard.addressesOf(host, port).catch((error: unknown) => {
      if (error instanceof ToolError) throw error;
    });
    return toProxy(new URL(proxy));
  } catch (error) {
    if (error instanceof ToolError) onRefused?.({ host, port, error });
    throw error;
  }
}

function toProxy(url: URL): Route {
  const { username, password } = url;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return {
    host: withoutBrackets(url.hostname),
    port: portOf(url),
    isProxy: true,
    ...(username !== "" && { login: `Basic ${login.toString("base64")}` }),
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
      ...(lookup !== undefined && { lookup }),
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
    sent.on("error", (error) => refuse(response, 502, error));
    response.on("close", () => sent.destroy());
    request.pipe(sent);
  } catch (error) {
    refuse(response, error instanceof ToolError ? 403 : 502, error);
  }
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
  client.on("error", () => client.destroy());
  const fail = (status: string): void => void client.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
  try {
    const { host, port, lookup, login, isProxy } = await findRoute(options, new URL(`http://${authority}`));
    if (client.destroyed) return;
    const server = connect({ host, port, ...(lookup !== undefined && { lookup }), allowHalfOpen: true });
    let isConnected = false;
    server.on("error", () => (isConnected ? client.destroy() : fail("502 Bad Gateway")));
    client.on("close", () => server.destroy());
    server.on("connect", () => {
      isConnected = true;
      server.on("close", () => client.destroy());
      // The other proxy answers the CONNECT itself.
      if (isProxy) server.write(connectRequest(authority, login));
      else client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      server.write(head);
      client.pipe(server).pipe(client);
    });
  } catch (error) {
    fail(error instanceof ToolError ? "403 Forbidden" : "502 Bad Gateway");
  }
}

function connectRequest(authority: string, login: string | undefined): string {
  const more = login === undefined ? "" : `proxy-authorization: ${login}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${more}\r\n`;
}
