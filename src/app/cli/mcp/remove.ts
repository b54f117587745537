import { ToolError } from "../../../core/errors.ts";
import { forgetLogins } from "../../../sources/mcp/auth/stored-login.ts";
import { forgetPins } from "../../../sources/mcp/tools/pins.ts";
import { loadConfig } from "../../config/config.ts";
import { editConfigFile, readConfigFile } from "../../config/files/config-file.ts";
import { LOGINS, PINS } from "../../host/sources/mcp-sources.ts";
import { onlyArgument } from "../../terminal/input/check-arguments.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { openPresentStore } from "../../host/store/open-configured-store.ts";

/** Removes a server from the user config, with its pinned tools and stored login. */
export async function removeServer({ positionals, flags }: Arguments, { output }: World): Promise<number> {
  const name = onlyArgument(positionals, "server name: toolwright mcp remove NAME");
  const config = loadConfig(flags);
  const { user } = config.files;
  const { mcpServers } = readConfigFile(user) ?? {};
  const servers = Object.keys(mcpServers ?? {});
  if (!servers.includes(name)) throw unknownServer(name, user, servers);
  await editConfigFile(user, ["mcpServers", name], undefined);
  const store = await openPresentStore(config);
  if (store !== undefined) {
    await forgetPins(store.collections.open(PINS), name);
    await forgetLogins(store.collections.open(LOGINS), name);
    await store.close();
  }
  await output.print(`removed ${name} from ${user}\n`);
  return 0;
}

function unknownServer(name: string, file: string, names: readonly string[]): ToolError {
  return new ToolError("INVALID_INPUT", `${file} has no server "${name}"`, {
    hint: nearHint(name, names, "toolwright mcp list lists them"),
  });
}
