import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { readDocument } from "../../../system/files/read-document.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { visible } from "../../../util/text/visible.ts";
import { loadConfig } from "../../config/config.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { editUserConfig, stateFoldersOf } from "../../config/folders.ts";
import { CLIENTS, entryOf, type Client } from "../../gateway/install/clients.ts";
import { mergeJson, mergeToml } from "../../gateway/install/merge.ts";
import { writeMerged } from "../../gateway/install/write-merged.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { entriesIn, problemOf } from "./config-entries.ts";
import { parseSettings, serversIn, type FoundServer } from "./client-entries.ts";
import { backedUp, clientOf, connectionOf, fileOf, NAME } from "./install.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** Lists the servers of all clients, or takes those of one client, all or the named ones, into the user config. */
export async function importServers(args: Arguments, world: World): Promise<number | void> {
  const config = loadConfig(args.flags, world.environment());
  if (args.positionals.length === 0) return listAll(args, world, config);
  const [, ...names] = args.positionals;
  const client = clientOf({ ...args, positionals: args.positionals.slice(0, 1) }, "import");
  const file = fileOf(client, args, config);
  const here = resolve(config.paths.workspace[0]);
  const isUsedHere = ({ folder }: FoundServer): boolean => folder === undefined || resolve(folder) === here;
  const where = client.projectsKey === undefined ? file : `${file}, for the folder ${here},`;
  const servers = chosen((await serversIn(client, file)).filter(isUsedHere), names, where);
  const taken: FoundServer[] = [];
  for (const server of servers) {
    const problem = await take(server, config);
    if (problem === undefined) taken.push(server);
    const what = problem ?? `added to ${config.paths.files.user}`;
    await world.output.print(`${visible(server.ownName)}: ${visible(what)}\n`);
  }
  if (args.flags["replace"] === true && taken.length > 0)
    await replace(client, file, taken, { args, world, config });
  return taken.length === servers.length ? 0 : 1;
}

async function listAll(
  args: Arguments,
  { output, columns }: World,
  config: ConfigGroups<"paths" | "environment">,
): Promise<void> {
  if (args.flags["replace"] === true)
    throw new ToolError("INVALID_INPUT", "--replace needs a client: toolwright mcp import CLIENT --replace");
  const rows: string[][] = [];
  for (const [name, client] of Object.entries(CLIENTS)) {
    if (args.flags["project"] === true && client.projectFile === undefined) continue;
    const file = fileOf(client, args, config);
    if (!existsSync(file)) continue;
    const servers = await serversIn(client, file).catch(errorMessage);
    if (typeof servers === "string") rows.push([name, "", servers]);
    else rows.push(...servers.map((server) => [name, server.name, describe(server)]));
  }
  if (rows.length === 0) return output.print("no client has MCP servers\n");
  const visibleRows = rows.map((row) => row.map(visible));
  const hint = "to take those of a client: toolwright mcp import CLIENT [NAME …]\n";
  return output.print(alignRows(visibleRows, columns) + hint);
}

function describe({ written: { command, args, url }, folder }: FoundServer): string {
  const target =
    typeof url === "string" ? url : [command, ...(Array.isArray(args) ? args : [])].map(String).join(" ");
  return folder === undefined ? target : `${target} (only in ${folder})`;
}

function chosen(
  found: readonly FoundServer[],
  names: readonly string[],
  where: string,
): readonly FoundServer[] {
  const known = found.map(({ name }) => name);
  for (const name of names)
    if (!known.includes(name))
      throw unknownName(`${where} has no server "${name}"`, name, known, `servers: ${known.join(", ")}`);
  if (found.length === 0) throw new ToolError("INVALID_INPUT", `${where} has no MCP servers`);
  return names.length === 0 ? found : found.filter(({ name }) => names.includes(name));
}

/** Adds a server to the user config. Returns why it cannot; undefined also if the same server is there already. */
async function take(
  { ownName, written }: FoundServer,
  config: ConfigGroups<"mcp" | "paths" | "environment">,
): Promise<string | undefined> {
  const unusable = problemOf(config, ownName, written);
  if (unusable !== undefined) return `not added: ${unusable.problem}`;
  let problem: string | undefined;
  await editUserConfig(config.paths, (before) => {
    const all: JsonObject = { ...config.mcp.servers, ...entriesIn(before, "mcpServers") };
    const present = Object.hasOwn(all, ownName) ? all[ownName] : undefined;
    const isOther = present !== undefined && hashOf(present) !== hashOf(written);
    if (isOther) problem = `not added: ${config.paths.files.user} has another server of that name`;
    return { path: ["mcpServers", ownName], value: isOther ? present : written };
  });
  return problem;
}

interface Replacing {
  readonly args: Arguments;
  readonly world: World;
  readonly config: ConfigGroups<"paths">;
}

/** Puts the gateway in the place of servers in a client's file. */
async function replace(
  client: Client,
  file: string,
  taken: readonly FoundServer[],
  { args, world, config }: Replacing,
): Promise<void> {
  const { key, projectsKey = "" } = client;
  const merge = client.format === "toml" ? mergeToml : mergeJson;
  const gateway = entryOf(client, connectionOf(client, args, config.paths));
  const merged = (text: string): string => {
    const without = taken.reduce((rest, { name, folder }) => {
      const within = folder === undefined ? [] : [projectsKey, folder];
      return merge(rest, { within, key, name }, undefined);
    }, text);
    return merge(without, { key, name: NAME }, gateway);
  };
  const change = await writeMerged(file, merged, stateFoldersOf(config.paths).changes);
  const restore = `toolwright mcp restore ${args.positionals[0]}${args.flags["project"] === true ? " --project" : ""}`;
  await world.output.print(
    `${client.title}: wrote ${backedUp(change)}\nThen ${client.afterwards}. To undo it: ${restore}\n`,
  );
}

/** Puts back the file of a client as it was before `import --replace` or `install`: the last copy without the gateway. */
export async function restoreClient(args: Arguments, { output, environment }: World): Promise<void> {
  const client = clientOf(args, "restore");
  const config = loadConfig(args.flags, environment());
  const file = fileOf(client, args, config);
  const start = `${basename(file)}.before-toolwright`;
  const names = existsSync(dirname(file)) ? readdirSync(dirname(file)) : [];
  const backups = names.filter((name) => name.startsWith(start));
  const numberOf = (name: string): number => Number(name.slice(start.length + 1)) || 1;
  for (const name of backups.toSorted((one, other) => numberOf(other) - numberOf(one))) {
    const text = readDocument(join(dirname(file), name), { maxBytes: MAX_BYTES })?.toString("utf8") ?? "";
    if (await hasGateway(client, text)) continue;
    const change = await writeMerged(file, () => text, stateFoldersOf(config.paths).changes);
    return output.print(`${client.title}: restored ${backedUp(change)}\nThen ${client.afterwards}.\n`);
  }
  throw new ToolError("INVALID_INPUT", `there is no copy of ${file} from before Toolwright`, {
    hint: "mcp uninstall CLIENT removes Toolwright from the file",
  });
}

async function hasGateway({ format, key }: Client, text: string): Promise<boolean> {
  const whole = await parseSettings(format, text, "the copy");
  const servers = isObject(whole) ? whole[key] : undefined;
  return isObject(servers) && Object.hasOwn(servers, NAME);
}
