// A program of its own: if the proxy crashes or is killed, the engine goes on. Messages in both directions are lines of JSON.
import { randomBytes } from "node:crypto";
import { Server } from "node:net";
import { createInterface } from "node:readline";
import { openForwardProxy } from "../../../system/fetch/forward-proxy.ts";
import { createGuard } from "../../../system/fetch/guard.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { captureTraffic, type Settled } from "./capture-traffic.ts";
import { demandLogin } from "./demand-login.ts";
import type { Authority, ProxyFlush, ProxyMessage, ProxyStart } from "./messages.ts";

/** Bodies up to this size are held in memory until they have passed. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

let settled: Promise<Settled> | undefined;

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line) as ProxyStart | ProxyFlush;
  if ("guard" in message) {
    settled = start(message);
    settled.catch(fail);
  } else {
    void settled?.then((wait) => wait()).then(() => send({ flushed: message.flush }));
  }
});
lines.once("close", () => process.exit(0));

function fail(error: unknown): void {
  const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  send({ failed: { message: errorMessage(error), isMissing } });
}

function send(message: ProxyMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function start({ guard, password, previous }: ProxyStart): Promise<Settled> {
  const { getLocal, generateCACertificate, generateSPKIFingerprint } = await import("mockttp");
  const authority: Authority =
    previous?.authority ??
    (await generateCACertificate({ subject: { commonName: "Toolwright session proxy" } }));
  const tunnel = await openForwardProxy({
    guard: createGuard(guard),
    password: randomBytes(24).toString("base64url"),
  });
  listenGuarded(password);
  const server = getLocal({
    https: { key: authority.key, cert: authority.cert },
    http2: true,
    recordTraffic: false,
    suggestChanges: false,
    maxBodySize: MAX_BODY_BYTES,
  });
  const settled = await captureTraffic(server, (exchange) => send({ exchange }));
  // Everything is sent through the tunnel, so that the guard sees each connection.
  const upstream = { proxyConfig: { proxyUrl: tunnel.url } };
  await server.forAnyRequest().thenPassThrough(upstream);
  await server.forAnyWebSocket().thenPassThrough(upstream);
  await server.start(previous?.port ?? 0).catch((error: unknown) => {
    if (previous === undefined) throw error;
    // Another program has the port by now.
    return server.start(0);
  });
  const spki = await generateSPKIFingerprint(authority.cert);
  send({ ready: { port: server.port, authority, spki } });
  return settled;
}

/** mockttp would listen on every address of the machine, for everyone, and has no settings for it. Nothing else starts to listen after it. */
function listenGuarded(password: string): void {
  const listen = Reflect.get(Server.prototype, "listen") as (port: number, host: string) => Server;
  Reflect.set(Server.prototype, "listen", function (this: Server, port: number) {
    demandLogin(this, password);
    return Reflect.apply(listen, this, [port, "127.0.0.1"]);
  });
}
