import { forgetLogins } from "../../../sources/mcp/auth/stored-login.ts";
import { loadConfig } from "../../config/config.ts";
import { LOGINS } from "../../host/sources/mcp-sources.ts";
import { openPresentStore } from "../../host/store/open-configured-store.ts";
import { onlyArgument } from "../../terminal/input/check-arguments.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";

/** Deletes the stored login for a server, which need not be configured any more. */
export async function logOutServer({ positionals, flags }: Arguments, { output }: World): Promise<number> {
  const name = onlyArgument(positionals, "server name: toolwright mcp logout NAME");
  const store = await openPresentStore(loadConfig(flags));
  try {
    const wasStored = store !== undefined && (await forgetLogins(store.collections.open(LOGINS), name));
    await output.print(wasStored ? `logged out of ${name}\n` : `no stored login for ${name}\n`);
    return 0;
  } finally {
    await store?.close();
  }
}
