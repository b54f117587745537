import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { loadConfig } from "../../config/config.ts";
import { editConfigFile } from "../../config/files/config-file.ts";
import { mcpEntries } from "../../host/sources/mcp-sources.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";

/** Writes a server into the user's own settings. It is not started. */
export async function addServer(given: Arguments, { output }: World): Promise<number> {
  const [name, ...command] = given.positionals;
  if (name === undefined) throw new ToolError("INVALID_INPUT", "name the server: toolwright mcp add NAME …");
  const config = loadConfig(given.flags);
  if (Object.hasOwn(config.mcpServers, name))
    throw new ToolError("INVALID_INPUT", `there is already a server "${name}" in ${config.files.user}`, {
      hint: `toolwright mcp remove ${name}`,
    });
  const entry = toEntry(given, command);
  const [found] = mcpEntries({ ...config, mcpServers: { [name]: entry }, projectMcpServers: [] });
  const configured = found?.configured;
  if (configured !== undefined && "problem" in configured)
    throw new ToolError("INVALID_INPUT", `"${name}" cannot be added: ${configured.problem}`, {
      ...(configured.hint !== undefined && { hint: configured.hint }),
    });
  await editConfigFile(config.files.user, ["mcpServers", name], entry);
  await output.print(`added ${name} to ${config.files.user}\ntoolwright mcp test ${name} tries it\n`);
  return 0;
}

function toEntry({ flags, repeated = {} }: Arguments, [command, ...args]: readonly string[]): JsonObject {
  const env = pairs(repeated["env"], /^([^=]+)=(.*)$/s, "--env NAME=VALUE");
  const headers = pairs(repeated["header"], /^([^:]+):\s*(.*)$/s, "--header 'NAME: VALUE'");
  const { url } = flags;
  if ((url === undefined) === (command === undefined))
    throw new ToolError("INVALID_INPUT", "give either --url URL or, behind --, a command", {
      hint: "toolwright mcp add NAME -- COMMAND ARGS…",
    });
  if (typeof url === "string") {
    if (env !== undefined) throw new ToolError("INVALID_INPUT", "--env is for a command, not for a url");
    return { url, ...(headers !== undefined && { headers }) };
  }
  if (headers !== undefined) throw new ToolError("INVALID_INPUT", "--header is for a url, not for a command");
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
        throw new ToolError("INVALID_INPUT", `${JSON.stringify(text)} cannot be read: ${usage}`);
      return [name.trim(), value];
    }),
  );
}
