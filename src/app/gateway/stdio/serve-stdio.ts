import type { ServedStdio, ServerInfo } from "../types/public-types.ts";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { LoggingLevel, Server } from "@modelcontextprotocol/server";
import { ToolError } from "../../../core/errors.ts";
import { isObject } from "../../../core/json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import { createResumableCalls } from "../calls/resumable-calls.ts";
import { createServer, notifyThrough } from "../server/create-server.ts";
import {
  createOpenSubscriptions,
  subscribeUnder,
  type OpenSubscriptions,
} from "../server/resource-subscriptions.ts";
import { greet, readServerInfo } from "../server/server-info.ts";
import { toInstructions } from "../sessions/instructions.ts";
import type { Gateway } from "../sessions/gateway.ts";
import type { CallOutcome, ServerInstructions } from "../types/gateway-types.ts";
import { createStdioCalls } from "./stdio-calls.ts";
import { createStdioWire, type StdioWire } from "./stdio-wire.ts";

export interface ServeStdioOptions {
  readonly stdin: NodeJS.ReadableStream;
  /** Writes one line of the protocol. */
  readonly write: (line: string) => Promise<void>;
  /** Prints a line for people, never to the protocol's stream. */
  readonly print: (line: string) => void;
  readonly ceilings: readonly Ceiling[];
  /** Opens the gateway, in the folders that the client names as its roots; called when the handshake can be answered already. */
  readonly open: (roots: readonly string[]) => Promise<Gateway>;
  /** Returns the instructions that upstream servers gave before, known before they start; default: none. Never rejects. */
  readonly instructions?: () => Promise<readonly ServerInstructions[]>;
  /** Default: Toolwright's own. */
  readonly info?: ServerInfo;
  /** True: the client is asked for its roots. */
  readonly usesRoots?: boolean;
}

/** Serves the one client on standard input and output. The handshake is answered before the gateway is open. */
export function serveStdio(options: ServeStdioOptions): ServedStdio {
  const { stdin, write, print, info = readServerInfo() } = options;
  const subscriptions = createOpenSubscriptions();
  const opened = Promise.withResolvers<void>();
  const instructions = (options.instructions?.() ?? Promise.resolve([])).then((given) =>
    toInstructions(given, options.ceilings),
  );
  const wire = createStdioWire({
    stdin,
    write,
    greet: async (params) => greet(info, params, await instructions),
    onFault: print,
    subscriptions,
    opened: opened.promise,
  });
  // A client that has not begun yet may never do so.
  const closing = Promise.withResolvers<never>();
  closing.promise.catch(() => undefined);
  const rootsOf = (initialized: Promise<Server>): Promise<readonly string[]> =>
    Promise.race([clientRoots(wire, initialized), closing.promise]);
  const serving = serve(options, { wire, subscriptions, instructions, rootsOf });
  void serving.catch(() => undefined).then(() => opened.resolve());
  return {
    ended: Promise.race([wire.ended, serving.then(() => wire.ended)]),
    async close() {
      closing.reject(new ToolError("CANCELLED", "the server was closed before it was ready"));
      const served = await serving.catch(() => undefined);
      // What was asked before it was ready is answered with that error.
      if (served === undefined) await wire.answered();
      await (served ?? wire).close();
    },
  };
}

const ONLY_CLIENT = { mayApprove: true, isAlone: true } as const;

interface Client {
  readonly wire: StdioWire;
  readonly subscriptions: OpenSubscriptions;
  readonly instructions: Promise<string>;
  readonly rootsOf: (initialized: Promise<Server>) => Promise<readonly string[]>;
}

async function serve(
  { open, ceilings, print, info = readServerInfo(), usesRoots = false }: ServeStdioOptions,
  { wire, subscriptions, instructions: given, rootsOf }: Client,
): Promise<Pick<ServedStdio, "close">> {
  // Wait one turn of the event loop, so that a handshake that has already arrived is answered first.
  await new Promise((resolve) => setImmediate(resolve));
  const [sdk, { serveStdio: serveSdk }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("@modelcontextprotocol/server/stdio"),
  ]);
  const level = { current: "info" as LoggingLevel };
  let current: Server | undefined;
  const initialized = Promise.withResolvers<Server>();
  const opening = usesRoots ? rootsOf(initialized.promise).then(open) : open([]);
  const notify = notifyThrough(() => current, level);
  const session = opening.then((gateway) => gateway.open(ceilings, notify, ONLY_CLIENT));
  // `opening` is awaited below and rejects with the same error.
  session.catch(() => undefined);
  const resumable = createResumableCalls<CallOutcome>();
  const instructions = await given;
  const own = { info, instructions: () => instructions };
  const ports = { ...own, sdk, resumable, level, ceilings, gateway: () => opening };
  const handle = serveSdk(
    ({ era }) => {
      const server = createServer({ ...ports, session: () => session });
      current = server;
      server.oninitialized = () => initialized.resolve(server);
      if (era === "legacy") {
        const send = (message: object): Promise<void> => wire.send(message as never);
        void session.then(
          (opened) => wire.serveCalls(createStdioCalls(opened, server, send, level)),
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
      gateway.stop();
      await wire.answered();
      await handle.close();
      await (await session).close();
    },
  };
}

/** How long a client may take to name its roots after its handshake. */
const ROOTS_MS = 3000;

/** Returns the folders that the client names as its roots; none if it does not support that, or does not answer. Never rejects. */
async function clientRoots(wire: StdioWire, initialized: Promise<Server>): Promise<readonly string[]> {
  const params = await wire.greeted;
  const { capabilities } = isObject(params) ? params : {};
  if (!isObject(capabilities) || !isObject(capabilities["roots"])) return [];
  const listed = initialized.then((server) => server.listRoots(undefined, { timeout: ROOTS_MS }));
  const { roots } = await withTimeout(listed, ROOTS_MS, () => ({ roots: [] })).catch(() => ({ roots: [] }));
  return roots.flatMap(({ uri }) => attempt(() => realpathSync(fileURLToPath(uri))) ?? []);
}
