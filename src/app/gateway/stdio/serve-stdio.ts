import type { Server } from "@modelcontextprotocol/server";
import type { Ceiling } from "../../../core/policy.ts";
import type { CallOutcome } from "../clients/call-tool.ts";
import { createServer } from "../server/create-server.ts";
import { createDirectCalls } from "./direct-calls.ts";
import type { Gateway, Level } from "../clients/gateway.ts";
import type { OpenWatches } from "../notify/listened-resources.ts";
import { createOpenWatches, watchUnder } from "../notify/listened-resources.ts";
import { createRounds } from "../clients/rounds.ts";
import { greet, readServerInfo } from "../clients/server-facts.ts";
import { listenerOf } from "../notify/server-listener.ts";
import type { StdioWire } from "./stdio-wire.ts";
import { createStdioWire } from "./stdio-wire.ts";

export interface ServeStdioOptions {
  readonly stdin: NodeJS.ReadableStream;
  /** Writes one line of the protocol. */
  readonly write: (line: string) => Promise<void>;
  /** A line for people, never on the protocol's stream. */
  readonly tell: (line: string) => void;
  readonly ceilings: readonly Ceiling[];
  /** Begins what takes time: it is called when the handshake can be answered already. */
  readonly open: () => Promise<Gateway>;
}

export interface ServedStdio {
  /** Settles when the client is gone; rejects where the gateway cannot be opened. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves the one client on standard input and output. The handshake is answered before anything heavy is loaded. */
export function serveStdio(options: ServeStdioOptions): ServedStdio {
  const { stdin, write, tell } = options;
  const info = readServerInfo();
  const watches = createOpenWatches();
  const wire = createStdioWire({
    stdin,
    write,
    greet: (params) => greet(info, params),
    onFault: tell,
    watches,
  });
  const serving = serve(options, wire, watches);
  return {
    ended: Promise.race([wire.ended, serving.then(() => wire.ended)]),
    async close() {
      const served = await serving.catch(() => undefined);
      await served?.close();
    },
  };
}

interface Serving {
  close(): Promise<void>;
}

async function serve(
  { open, ceilings, tell }: ServeStdioOptions,
  wire: StdioWire,
  watches: OpenWatches,
): Promise<Serving> {
  // A turn of the event loop, so that a handshake that is there already is answered first.
  await new Promise((resolve) => setImmediate(resolve));
  const [sdk, { serveStdio: serveSdk }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("@modelcontextprotocol/server/stdio"),
  ]);
  const level = { current: "info" as Level };
  let current: Server | undefined;
  const gateway = open();
  const session = gateway.then((opened) =>
    opened.open(
      ceilings,
      listenerOf(() => current, level),
    ),
  );
  // Where the gateway cannot be opened that is told once, by whoever waits for the gateway.
  session.catch(() => undefined);
  const rounds = createRounds<CallOutcome>();
  const info = readServerInfo();
  const handle = serveSdk(
    ({ era }) => {
      const server = createServer(sdk, {
        info,
        rounds,
        level,
        ceilings,
        gateway: () => gateway,
        session: () => session,
      });
      current = server;
      if (era === "legacy") {
        const send = (message: object): Promise<void> => wire.send(message as never);
        void session.then(
          (opened) => wire.direct(createDirectCalls({ session: opened, server, send, level })),
          () => undefined,
        );
      }
      return server;
    },
    { transport: wire, onerror: (error) => tell(`toolwright: mcp: ${error.message}`) },
  );
  // Where the gateway cannot be opened there is nothing to serve.
  const watch = watchUnder(await gateway, ceilings);
  watches.serve(watch, (uri) => void current?.sendResourceUpdated({ uri }).catch(() => undefined));
  return {
    async close() {
      watches.close();
      rounds.close();
      await handle.close();
      await (await session).close();
    },
  };
}
