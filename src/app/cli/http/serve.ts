import { resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { loadConfig } from "../../config/config.ts";
import type { Config } from "../../config/groups.ts";
import { TOKEN_FILES } from "../../config/access/http-tokens.ts";
import { loadHttpTokens } from "../../gateway/http/http-token.ts";
import { checkLogin } from "../../gateway/login/server-login.ts";
import { openGatewayHost } from "../../gateway/open-gateway.ts";
import { serve as serveHttp } from "../../http/serve.ts";
import { parsePort, refuseArguments } from "../../terminal/input/check-arguments.ts";
import { RUN_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { eventListener } from "../../terminal/print/event-log.ts";
import { whenAborted } from "../../../util/async/until-aborted.ts";

const PORT = "7420";
const { yes: _yes, queue: _queue, ...SERVED_FLAGS } = RUN_FLAGS;

export const serve: Command = {
  name: "serve",
  summary: "serve the console, the HTTP API and MCP from one process",
  usage: "[--port PORT] [--host ADDRESS (--cert FILE --key FILE | --network)] [--mode MODE]",
  notes:
    "Prints the address with the token of the administrator. Other tokens are in the folder of the config: docs/serve.md.",
  flags: {
    port: { summary: `port to listen on; 0 picks a free one (default: ${PORT})`, value: "PORT" },
    host: { summary: "address to listen on (default: 127.0.0.1)", value: "ADDRESS" },
    cert: { summary: "serve over TLS with this certificate, in PEM form", value: "FILE" },
    key: { summary: "with --cert: its private key, in PEM form", value: "FILE" },
    network: { summary: "with --host: allow access from the network without TLS" },
    model: { summary: "model of the agent; see docs/models.md", value: "PROVIDER/NAME" },
    ...SERVED_FLAGS,
  },
  examples: {
    serve: "print the address of the console; open it in a browser",
    "serve --port 0 --mode plan": "a free port, and only calls that read",
    "serve --host 0.0.0.0 --cert cert.pem --key key.pem": "serve other machines over TLS",
  },
  async run(given, world) {
    const { flags } = given;
    refuseArguments(given.positionals);
    const { output } = world;
    const config = loadConfig(flags, world.environment());
    const port = parsePort(flags["port"] ?? PORT, "port");
    using interrupt = world.interrupt();
    await using served = await startServing({ flags, port, config }, world);
    const { read, call, approve } = TOKEN_FILES;
    output.log(
      `toolwright: this address may do everything; tokens that may less are in ${config.paths.home}: ${call} (call tools), ${approve} (read and approve), ${read} (read)`,
    );
    await output.print(`${served.address}\n`);
    await whenAborted(AbortSignal.any([interrupt.signal, output.closed]));
  },
};

export interface ServingOptions extends Pick<Arguments, "flags"> {
  readonly port: number;
  readonly config: Config;
  /** Receives a line for people about a call that waits for approval; default: it is printed. */
  readonly onQueued?: (message: string) => void;
}

/** Starts the server of a config; its warnings are printed, and shown in the console. */
export function startServing(
  { flags, port, config, onQueued }: ServingOptions,
  { output }: Pick<World, "output">,
): ReturnType<typeof serveHttp> {
  checkLogin(config);
  const warnings: string[] = [];
  return serveHttp({
    port,
    host: typeof flags["host"] === "string" ? flags["host"] : "127.0.0.1",
    isOnNetwork: flags["network"] === true,
    tokens: loadHttpTokens(config.paths.home),
    ceilings: [],
    warnings,
    print: output.log,
    open: () =>
      openGatewayHost({
        flags,
        config,
        readsInstructions: true,
        warn(warning) {
          warnings.push(warning);
          output.warn(warning);
        },
        onQueued: onQueued ?? ((message) => output.log(`toolwright: ${message}`)),
        log: eventListener(config, flags, output.log),
      }),
    ...tlsOf(flags, config.paths.workspace[0]),
  });
}

/** Throws if only one of the two files is given. */
function tlsOf(flags: Arguments["flags"], folder: string) {
  const { cert, key } = flags;
  if (cert === undefined && key === undefined) return {};
  if (typeof cert !== "string" || typeof key !== "string")
    throw new ToolError(
      "INVALID_INPUT",
      `--${cert === undefined ? "cert" : "key"} is missing: TLS needs --cert and --key`,
    );
  return { tls: { cert: resolve(folder, cert), key: resolve(folder, key) } };
}
