import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** A proxy on loopback that passes on what it gets after a while, in order. */
export interface SlowNetwork {
  /** host:port */
  readonly address: string;
  /** How long everything takes from now on, in each direction. */
  delay(milliseconds: number): void;
}

/** Starts a proxy of a server; it ends with the test. */
export async function startSlowNetwork(t: Pick<TestContext, "after">, port: number): Promise<SlowNetwork> {
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket): void => {
    // What was sent later never arrives earlier, also when the delay shrinks.
    let last = 0;
    const later = (action: () => void): void => {
      last = Math.max(performance.now() + delayMs, last);
      setTimeout(action, Math.max(0, last - performance.now())).unref();
    };
    from.on("data", (bytes) => later(() => void (to.destroyed || to.write(bytes))));
    from.on("close", () => later(() => to.destroy()));
    from.on("error", () => to.destroy());
    sockets.add(from);
  };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port, host: "127.0.0.1", noDelay: true });
    pass(client, upstream);
    pass(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    delay(milliseconds) {
      delayMs = milliseconds;
    },
  };
}
