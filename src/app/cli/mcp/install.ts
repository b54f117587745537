import { resolve } from "node:path";
import { packageFile } from "../../../system/package-files.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { loadConfig, type Config } from "../../config/config.ts";
import { entryOf, CLIENTS, type Client, type Connection } from "../../gateway/install/clients.ts";
import { mergeJson, mergeToml, toToml, type Placement } from "../../gateway/install/merge.ts";
import { writeMerged } from "../../gateway/install/write-merged.ts";
import { chooseFolders } from "../../gateway/choose-folders.ts";
import { loadHttpToken } from "../../gateway/http/http-token.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { parsePort } from "../../terminal/input/check-arguments.ts";

/** The name of the server in the config of clients. */
const NAME = "toolwright";

/** Prints the config entry for a client, or writes it into the client's config file. */
export async function installMcp(given: Arguments, { output, environment }: World): Promise<number> {
  const client = clientOf(given);
  const config = loadConfig(given.flags, environment());
  const { platform } = process;
  const file = client.file({ platform, userHome: config.userHome, variables: config.variables });
  const entry = entryOf(client, connectionOf(client, given, config));
  if (entry === undefined)
    throw new ToolError("INVALID_INPUT", `${client.title} does not support servers by URL`, {
      hint: "without --http, the client starts the program itself",
    });
  const placement: Placement = { key: client.key, name: NAME };
  if (given.flags["write"] === true) {
    const merge = (text: string): string => merged(client, text, placement, entry);
    const written = await writeMerged(file, merge, stateFoldersOf(config).changes);
    const backup = written.backup === undefined ? "" : `; backup of the old file: ${written.backup}`;
    await output.print(`${client.title}: wrote ${written.file}${backup}\nThen ${client.afterwards}.\n`);
    return 0;
  }
  await output.print(
    client.format === "toml"
      ? toToml(placement, entry)
      : `${JSON.stringify({ [client.key]: { [NAME]: entry } }, undefined, 2)}\n`,
  );
  output.log(`toolwright: add this to ${file}, or run again with --write`);
  return 0;
}

function merged(client: Client, text: string, placement: Placement, entry: JsonObject): string {
  return client.format === "toml" ? mergeToml(text, placement, entry) : mergeJson(text, placement, entry);
}

function clientOf({ positionals }: Arguments): Client {
  const [name, ...rest] = positionals;
  const names = Object.keys(CLIENTS);
  const known = `clients: ${names.join(", ")}`;
  if (name === undefined || rest.length > 0)
    throw new ToolError("INVALID_INPUT", "missing client: toolwright mcp install CLIENT", { hint: known });
  const client = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (client !== undefined) return client;
  throw unknownName(`unknown client ${JSON.stringify(name)}`, name, names, known);
}

function connectionOf(client: Client, { flags }: Arguments, config: Config): Connection {
  const text = (name: string): string | undefined =>
    typeof flags[name] === "string" ? flags[name] : undefined;
  const port = text("http");
  if (port !== undefined) {
    const number = parsePort(port);
    const unfixed = "--http 0 picks another port each time; a client needs a fixed one";
    if (number === 0) throw new ToolError("INVALID_INPUT", unfixed);
    const query = new URLSearchParams();
    for (const name of ["mode", "tools"]) if (text(name) !== undefined) query.set(name, text(name) ?? "");
    const search = query.size === 0 ? "" : `?${query.toString()}`;
    const url = `http://127.0.0.1:${number}/mcp${search}`;
    return { kind: "http", url, token: loadHttpToken(config.home) };
  }
  const given = text("folder");
  const folder = given === undefined ? undefined : resolve(config.workspace[0], given);
  const place =
    folder ?? (client.startsInProject ? undefined : (client.folderVariable ?? chooseFolders(config, [])[0]));
  const passed = { mode: text("mode"), tools: text("tools"), profile: text("profile"), folder: place };
  const args = Object.entries(passed).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  // Absolute paths, since a client started from a desktop does not have the PATH of a shell.
  const all = [packageFile("bin/toolwright.js"), "mcp", ...args];
  return { kind: "stdio", command: process.execPath, args: all };
}
