import type { LoggingLevel, Server } from "@modelcontextprotocol/server";
import type { Ceiling } from "../../../core/policy.ts";
import { createResumableCalls } from "../calls/resumable-calls.ts";
import { createServer, notifyThrough } from "../server/create-server.ts";
import {
  createOpenSubscriptions,
  subscribeUnder,
  type OpenSubscriptions,
} from "../server/resource-subscriptions.ts";
import { greet, readServerInfo } from "../server/server-info.ts";
import type { CallOutcome, Gateway } from "../types/gateway-types.ts";
import { createStdioCalls } from "./stdio-calls.ts";
import { createStdioWire, type StdioWire } from "./stdio-wire.ts";

export interface ServeStdioOptions {
  readonly stdin: NodeJS.ReadableStream;
  /** Writes one line of the protocol. */
  readonly write: (line: string) => Promise<void>;
  /** Prints a line for people, never to the protocol's stream. */
  readonly print: (line: string) => void;
  readonly ceilings: readonly Ceiling[];
  /** Opens the gateway; called when the handshake can be answered already. */
  readonly open: () => Promise<Gateway>;
}

export interface ServedStdio {
  /** Settles when the client is gone; rejects if the gateway cannot be opened. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves the one client on standard input and output. The handshake is answered before the gateway is open. */
export function serveStdio(options: ServeStdioOptions): ServedStdio {
  const { stdin, write, print } = options;
  const info = readServerInfo();
  const subscriptions = createOpenSubscriptions();
  const opened = Promise.withResolvers<void>();
  const wire = createStdioWire({
    stdin,
    write,
    greet: (params) => greet(info, params),
    onFault: print,
    subscriptions,
    opened: opened.promise,
  });
  const serving = serve(options, wire, subscriptions);
  void serving.catch(() => undefined).then(() => opened.resolve());
  return {
    ended: Promise.race([wire.ended, serving.then(() => wire.ended)]),
    async close() {
      const served = await serving.catch(() => undefined);
      await served?.close();
    },
  };
}

async function serve(
  { open, ceilings, print }: ServeStdioOptions,
  wire: StdioWire,
  subscriptions: OpenSubscriptions,
): Promise<Pick<ServedStdio, "close">> {
  // Wait one turn of the event loop, so that a handshake that has already arrived is answered first.
  await new Promise((resolve) => setImmediate(resolve));
  const [sdk, { serveStdio: serveSdk }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("@modelcontextprotocol/server/stdio"),
  ]);
  const level = { current: "info" as LoggingLevel };
  let current: Server | undefined;
  const opening = open();
  const notify = notifyThrough(() => current, level);
  const session = opening.then((gateway) => gateway.open(ceilings, notify));
  // `opening` is awaited below and rejects with the same error.
  session.catch(() => undefined);
  const resumable = createResumableCalls<CallOutcome>();
  const ports = { sdk, resumable, level, ceilings, info: readServerInfo(), gateway: () => opening };
  const handle = serveSdk(
    ({ era }) => {
      const server = createServer({ ...ports, session: () => session });
      current = server;
      if (era === "legacy") {
        const send = (message: object): Promise<void> => wire.send(message as never);
        void session.then(
          (opened) => wire.serveCalls(createStdioCalls({ session: opened, server, send, level })),
          () => undefined,
        );
      }
      return server;
    },
    { transport: wire, onerror: (error) => print(`toolwright: mcp: ${error.message}`) },
  );
  const gateway = await opening;
  subscriptions.serve(
    subscribeUnder(gateway, ceilings),
    (uri) => void current?.sendResourceUpdated({ uri }).catch(() => undefined),
  );
  return {
    async close() {
      subscriptions.close();
      resumable.close();
      await handle.close();
      await (await session).close();
    },
  };
}
