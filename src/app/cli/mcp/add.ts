import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { loadConfig } from "../../config/config.ts";
import { editConfigFile } from "../../config/files/config-file.ts";
import { mcpEntries } from "../../host/sources/mcp-sources.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";

/** Adds a server to the user config. Does not start it. */
export async function addServer(given: Arguments, { output }: World): Promise<number> {
  const [name, ...command] = given.positionals;
  if (name === undefined)
    throw new ToolError("INVALID_INPUT", "missing server name: toolwright mcp add NAME …");
  const config = loadConfig(given.flags);
  if (Object.hasOwn(config.mcpServers, name))
    throw new ToolError("INVALID_INPUT", `${config.files.user} already has a server "${name}"`, {
      hint: `to replace it, run toolwright mcp remove ${name} first`,
    });
  const entry = toEntry(given, command);
  const [found] = mcpEntries({ ...config, mcpServers: { [name]: entry }, projectMcpServers: [] });
  const configured = found?.configured;
  if (configured !== undefined && "problem" in configured)
    throw new ToolError("INVALID_INPUT", `cannot add "${name}": ${configured.problem}`, {
      ...(configured.hint !== undefined && { hint: configured.hint }),
    });
  await editConfigFile(config.files.user, ["mcpServers", name], entry);
  await output.print(`added ${name} to ${config.files.user}\ntoolwright mcp test ${name} tests it\n`);
  return 0;
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
    return { url, ...(headers !== undefined && { headers }) };
  }
  if (headers !== undefined) throw new ToolError("INVALID_INPUT", "--header cannot be used with a command");
  return {
    command: command ?? "",
    ...(args.length > 0 && { args }),
    ...(env !== undefined && { env }),
  };
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
