import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ToolError } from "../../../core/errors.ts";
import type { Guard } from "../../../system/fetch/guard.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

const CONNECT_MS = 10_000;

/** The header by which a response of the tunnel itself is known. */
export const REFUSED_HEADER = "x-toolwright-proxy";

/**
 * Starts a proxy on loopback for tunnels alone, and returns its URL with a password. It connects only to addresses that the guard has
 * just checked. What it refuses is answered with status 403, what it cannot reach with 502, and the reason.
 */
export async function startGuardedTunnel(guard: Guard): Promise<string> {
  const password = randomBytes(24).toString("base64url");
  const expected = `Basic ${Buffer.from(`proxy:${password}`).toString("base64")}`;
  const server = createServer((_request, response) => void response.writeHead(405).end());
  server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy());
    if (request.headers["proxy-authorization"] !== expected) {
      refuse(client, 407, "this proxy is part of another one");
      return;
    }
    const join = async (): Promise<void> => {
      const upstream = await open(guard, request.url ?? "");
      upstream.on("error", () => client.destroy());
      client.on("close", () => upstream.destroy());
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    };
    join().catch((error: unknown) => refuse(client, error instanceof ToolError ? 403 : 502, describe(error)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://proxy:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function open(guard: Guard, authority: string): Promise<Socket> {
  const url = URL.parse(`http://${authority}`);
  if (url === null) throw new ToolError("INVALID_INPUT", `${authority} is not a host and a port`);
  guard.check(url);
  const port = Number(url.port || "80");
  const addresses = await guard.addressesOf(url.hostname, port);
  let last: unknown = new Error(`there is no address of ${url.hostname}`);
  for (const address of addresses) {
    try {
      return await dial(address, port);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

async function dial(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_MS) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function describe(error: unknown): string {
  const hint = error instanceof ToolError && error.hint !== undefined ? `; ${error.hint}` : "";
  return `${errorMessage(error)}${hint}`;
}

/** Clients get this as the response to their request. */
function refuse(client: Duplex, status: number, reason: string): void {
  const text = `The proxy of the session did not send the request: ${reason}\n`;
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    `${REFUSED_HEADER}: ${encodeURIComponent(reason)}`,
    "content-type: text/plain; charset=utf-8",
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  client.end(`${lines.join("\r\n")}\r\n\r\n${text}`);
}
