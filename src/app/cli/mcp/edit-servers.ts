import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { loadConfig } from "../../config/config.ts";
import { LOGINS, PINS } from "../../host/sources/mcp-sources.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { forgetLogins } from "../../../sources/mcp/auth/stored-login.ts";
import { forgetPins } from "../../../sources/mcp/tools/pins.ts";
import { onlyArgument } from "../../terminal/input/check-arguments.ts";
import { openPresentStore } from "../../host/store/open-configured-store.ts";
import { addEntry, problemOf, removeEntry } from "./config-entries.ts";
import { defined } from "../../../util/json/defined.ts";

/** Adds a server to the user config. Does not start it. */
export async function addServer(args: Arguments, { output, environment }: World): Promise<void> {
  const [name, ...command] = args.positionals;
  if (name === undefined)
    throw new ToolError("INVALID_INPUT", "missing server name: toolwright mcp add NAME …");
  const config = loadConfig(args.flags, environment());
  const entry = toEntry(args, command);
  const { problem, hint } = problemOf(config, name, entry) ?? {};
  if (problem !== undefined)
    throw new ToolError("INVALID_INPUT", `cannot add "${name}": ${problem}`, { hint });
  await addEntry(config, "mcpServers", name, entry);
  await output.print(
    `added ${name} to ${config.paths.files.user}\nto test it: toolwright mcp test ${name}\n`,
  );
}

function toEntry({ flags, repeated = {} }: Arguments, [command, ...args]: readonly string[]): JsonObject {
  const env = pairs(repeated["env"], /^([^=]+)=(.*)$/s, "--env NAME=VALUE");
  const headers = pairs(repeated["header"], /^([^:]+):\s*(.*)$/s, "--header 'NAME: VALUE'");
  const { url } = flags;
  if ((url === undefined) === (command === undefined))
    throw new ToolError("INVALID_INPUT", "expected either --url URL or a command after --", {
      hint: "toolwright mcp add NAME -- COMMAND [ARG …]",
    });
  if (typeof url === "string") {
    if (env !== undefined) throw new ToolError("INVALID_INPUT", "--env cannot be used with --url");
    return { url, ...defined({ headers }) };
  }
  if (headers !== undefined) throw new ToolError("INVALID_INPUT", "--header cannot be used with a command");
  return { command: command ?? "", ...(args.length > 0 && { args }), ...defined({ env }) };
}

function pairs(given: readonly string[] | undefined, form: RegExp, usage: string): JsonObject | undefined {
  if (given === undefined) return undefined;
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = form.exec(text) ?? [];
      if (name === undefined || value === undefined)
        throw new ToolError("INVALID_INPUT", `invalid value ${JSON.stringify(text)}; expected ${usage}`);
      return [name.trim(), value];
    }),
  );
}

/** Removes a server from the user config, with its pinned tools and stored login. */
export async function removeServer(
  { positionals, flags }: Arguments,
  { output, environment }: World,
): Promise<void> {
  const name = onlyArgument(positionals, "server name: toolwright mcp remove NAME");
  const config = loadConfig(flags, environment());
  await removeEntry(config.paths, "mcpServers", name);
  await using store = await openPresentStore(config);
  if (store !== undefined) {
    await forgetPins(store.collections.open(PINS), name);
    await forgetLogins(store.collections.open(LOGINS), name);
  }
  await output.print(`removed ${name} from ${config.paths.files.user}\n`);
}
