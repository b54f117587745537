import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import { loadHttpTokens } from "../../gateway/http/http-token.ts";
import { serveHttp } from "../../gateway/http/serve-http.ts";
import { checkLogin } from "../../gateway/login/server-login.ts";
import { pinnedInstructions } from "../../gateway/upstream/pinned-instructions.ts";
import { openGateway } from "../../gateway/open-gateway.ts";
import { eventListener } from "../../terminal/print/event-log.ts";
import type { Ceiling } from "../../../core/policy.ts";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { loadConfig } from "../../config/config.ts";
import type { ConfigGroups, PolicySettings } from "../../config/groups.ts";
import type { Environment } from "../../config/environment.ts";
import type { UntrustedConfig } from "../../host/store/apply-trust.ts";
import type { ServerInstructions } from "../../gateway/types/gateway-types.ts";
import { parseNames } from "../../gateway/sessions/visible-tools.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { parsePort } from "../../terminal/input/check-arguments.ts";
import { serveStdio } from "../../gateway/stdio/serve-stdio.ts";
import { chooseFolders } from "../../gateway/choose-folders.ts";
import { defined } from "../../../util/json/defined.ts";
import { whenAborted } from "../../../util/async/until-aborted.ts";

/** Serves the engine to MCP clients until they disconnect or the process is signalled. Standard output carries only the protocol. */
export async function serveMcp(args: Arguments, world: World): Promise<void> {
  const { flags } = args;
  requireHttp(args);
  const environment = environmentOf(flags["folder"], world);
  const config = loadConfig(flags, environment);
  using interrupt = world.interrupt();
  let opening: ReturnType<typeof openGateway> | undefined;
  const open: Serving["open"] = async (roots) => {
    const [cwd, ...others] = chooseFolders(config.paths, roots);
    opening = openServed({ flags, config: loadConfig(flags, { ...environment, cwd, roots: others }) }, world);
    return opening;
  };
  try {
    const serve = flags["http"] === undefined ? serveOverStdio : serveOverHttp;
    const instructions = () => pinnedInstructions({ flags, config });
    await serve({ args, world, config, instructions, open, signal: interrupt.signal });
  } finally {
    const gateway = await opening?.catch(() => undefined);
    await gateway
      ?.close()
      .catch((error: unknown) => world.output.warn(`the store could not be closed: ${errorMessage(error)}`));
  }
}

interface Serving {
  readonly args: Arguments;
  readonly world: World;
  readonly config: ConfigGroups<"auth" | "paths" | "policy" | "storage">;
  readonly instructions: () => Promise<readonly ServerInstructions[]>;
  readonly open: (roots: readonly string[]) => ReturnType<typeof openGateway>;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
}

async function serveOverStdio({ args, world, config, instructions, open, signal }: Serving): Promise<void> {
  const { stdin, output } = world;
  if (stdin.isTTY)
    output.log("toolwright: waiting for an MCP client on standard input: see docs/mcp-gateway.md");
  const served = serveStdio({
    stdin,
    write: (line) => output.print(line),
    print: output.log,
    ceilings: [ceilingOf(args, config.policy)],
    open,
    instructions,
    usesRoots: args.flags["folder"] === undefined,
  });
  try {
    const ends = AbortSignal.any([signal, output.closed]);
    await Promise.race([served.ended, whenAborted(ends)]);
  } finally {
    await served.close();
  }
}

async function serveOverHttp({ args, world, config, open, signal }: Serving): Promise<void> {
  const { flags } = args;
  const { output } = world;
  checkLogin(config);
  await using served = await serveHttp({
    port: parsePort(flags["http"]),
    host: typeof flags["host"] === "string" ? flags["host"] : "127.0.0.1",
    isOnNetwork: flags["network"] === true,
    tokens: loadHttpTokens(config.paths.home),
    ceilings: [ceilingOf(args, config.policy)],
    async open() {
      const gateway = await open([]);
      const { people, login } = gateway;
      return { gateway, people, login };
    },
    print: output.log,
  });
  await output.print(`${served.address}\n`);
  await whenAborted(signal);
}

function openServed({ flags, config }: UntrustedConfig, { output }: World): ReturnType<typeof openGateway> {
  return openGateway({
    flags,
    config,
    tools: namesOf(flags),
    warn: output.warn,
    onQueued: (message) => output.log(`toolwright: ${message}`),
    log: eventListener(config, flags, output.log),
  });
}

/** Returns the ceiling of every call of every client. */
function ceilingOf({ flags }: Arguments, { mode }: PolicySettings): Ceiling {
  return { mode, ...defined({ tools: namesOf(flags) }) };
}

function namesOf({ tools }: Arguments["flags"]): readonly string[] | undefined {
  return typeof tools === "string" ? parseNames(tools) : undefined;
}

/** Throws if a flag that needs --http was given without it. */
function requireHttp({ flags }: Arguments): void {
  const unused = ["host", "network"].find((name) => flags[name] !== undefined && flags["http"] === undefined);
  if (unused !== undefined) throw new ToolError("INVALID_INPUT", `--${unused} can only be used with --http`);
}

/** Returns the environment in the workspace folder: clients may start the process anywhere. Throws if it is not a folder that can be entered. */
function environmentOf(folder: string | boolean | undefined, { environment }: World): Environment {
  const own = environment();
  if (typeof folder !== "string") return own;
  const cwd = resolve(own.cwd, folder);
  try {
    accessSync(`${cwd}/.`, constants.X_OK);
  } catch (error) {
    throw new ToolError("INVALID_INPUT", `--folder: cannot change to ${folder}`, { cause: error });
  }
  return { ...own, cwd };
}
