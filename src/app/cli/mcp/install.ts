import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { packageFile } from "../../../system/package-files.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { loadConfig } from "../../config/config.ts";
import type { ConfigGroups, PathSettings } from "../../config/groups.ts";
import { entryOf, CLIENTS, type Client, type Connection } from "../../gateway/install/clients.ts";
import { mergeJson, mergeToml, toToml } from "../../gateway/install/merge.ts";
import { writeMerged, type WrittenFile } from "../../gateway/install/write-merged.ts";
import { chooseFolders } from "../../gateway/choose-folders.ts";
import { loadHttpToken } from "../../gateway/http/http-token.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { parsePort, textFlag } from "../../terminal/input/check-arguments.ts";

/** The name of the server in the config of clients. */
export const NAME = "toolwright";

/** Prints the config entry for a client, or writes it into the client's config file, the user's or the project's. */
export async function installMcp(args: Arguments, { output, environment }: World): Promise<void> {
  const client = clientOf(args, "install");
  const config = loadConfig(args.flags, environment());
  const file = fileOf(client, args, config);
  const entry = entryOf(client, connectionOf(client, args, config.paths));
  if (entry === undefined)
    throw new ToolError("INVALID_INPUT", `${client.title} does not support servers by URL`, {
      hint: "without --http, the client starts the program itself",
    });
  if (args.flags["write"] === true) {
    const change = await writeEntry(client, file, entry, config.paths);
    return output.print(`${client.title}: wrote ${backedUp(change)}\nThen ${client.afterwards}.\n`);
  }
  await output.print(
    client.format === "toml"
      ? toToml({ key: client.key, name: NAME }, entry)
      : `${JSON.stringify({ [client.key]: { [NAME]: entry } }, undefined, 2)}\n`,
  );
  output.log(`toolwright: add this to ${file}, or run again with --write`);
}

/** Removes the entry from a client's config file, the user's or the project's. A file without the entry stays as it is. */
export async function uninstallMcp(args: Arguments, { output, environment }: World): Promise<void> {
  const client = clientOf(args, "uninstall");
  const config = loadConfig(args.flags, environment());
  const file = fileOf(client, args, config);
  const change = existsSync(file) ? await writeEntry(client, file, undefined, config.paths) : undefined;
  const isRemoved = change?.backup !== undefined;
  const message = isRemoved
    ? `removed ${NAME} from ${backedUp(change)}\nIt is gone when ${client.title} is started again.`
    : `${file} has no entry ${NAME}`;
  await output.print(`${client.title}: ${message}\n`);
}

function writeEntry(
  client: Client,
  file: string,
  entry: JsonObject | undefined,
  paths: PathSettings,
): Promise<WrittenFile> {
  const merge = client.format === "toml" ? mergeToml : mergeJson;
  const merged = (text: string): string => merge(text, { key: client.key, name: NAME }, entry);
  return writeMerged(file, merged, stateFoldersOf(paths).changes);
}

export function backedUp({ file, backup }: WrittenFile): string {
  return backup === undefined ? file : `${file}; backup of the old file: ${backup}`;
}

export function fileOf(
  client: Client,
  { flags }: Arguments,
  { paths: { userHome, workspace }, environment: { variables } }: ConfigGroups<"paths" | "environment">,
): string {
  const isUsers = flags["project"] !== true;
  const present = (file: string): string =>
    client.writesJsonc === true && existsSync(`${file}c`) ? `${file}c` : file;
  if (isUsers) return present(client.file({ platform: process.platform, userHome, variables }));
  if (client.projectFile === undefined)
    throw new ToolError("INVALID_INPUT", `${client.title} reads no file of a project`, {
      hint: "run it without --project",
    });
  return present(join(workspace[0], client.projectFile));
}

export function clientOf({ positionals }: Arguments, action: string): Client {
  const [name, ...rest] = positionals;
  const names = Object.keys(CLIENTS);
  const known = `clients: ${names.join(", ")}`;
  if (name === undefined || rest.length > 0)
    throw new ToolError("INVALID_INPUT", `missing client: toolwright mcp ${action} CLIENT`, { hint: known });
  const client = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (client !== undefined) return client;
  throw unknownName(`unknown client ${JSON.stringify(name)}`, name, names, known);
}

export function connectionOf(client: Client, args: Arguments, paths: PathSettings): Connection {
  const port = textFlag(args, "http");
  if (port !== undefined) return httpConnection(port, args, paths);
  const isProject = args.flags["project"] === true;
  const folder = folderFor(client, args, paths);
  const flags = {
    ...namedFlags(args, ["mode", "tools", "profile"]),
    ...(folder !== undefined && { folder }),
  };
  const words = ["mcp", ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])];
  // A project's file is shared: the paths of this machine are wrong on others.
  if (isProject) return { kind: "stdio", command: NAME, args: words };
  // Absolute paths, since a client started from a desktop does not have the PATH of a shell.
  return { kind: "stdio", command: process.execPath, args: [packageFile("bin/toolwright.js"), ...words] };
}

function httpConnection(port: string, args: Arguments, paths: PathSettings): Connection {
  if (args.flags["project"] === true)
    throw new ToolError("INVALID_INPUT", "--http cannot be used with --project", {
      hint: "the file is shared with others, and would contain your token",
    });
  const number = parsePort(port);
  if (number === 0)
    throw new ToolError("INVALID_INPUT", "--http 0 picks another port each time; a client needs a fixed one");
  const query = new URLSearchParams(namedFlags(args, ["mode", "tools"]));
  const search = query.size === 0 ? "" : `?${query.toString()}`;
  return {
    kind: "http",
    url: `http://127.0.0.1:${number}/mcp${search}`,
    token: loadHttpToken(paths.home, "call"),
  };
}

/** Returns the folder of `--folder`, else the one that the client does not choose by where it starts the program. */
function folderFor(client: Client, args: Arguments, paths: PathSettings): string | undefined {
  const folder = textFlag(args, "folder");
  if (folder !== undefined) return resolve(paths.workspace[0], folder);
  if (client.startsInProject) return undefined;
  return client.folderVariable ?? (args.flags["project"] === true ? undefined : chooseFolders(paths, [])[0]);
}

function namedFlags(args: Arguments, names: readonly string[]): Readonly<Record<string, string>> {
  const flags = names.map((name): [string, string | undefined] => [name, textFlag(args, name)]);
  return Object.fromEntries(flags.filter((flag): flag is [string, string] => flag[1] !== undefined));
}
