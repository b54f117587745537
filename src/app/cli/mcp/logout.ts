import { ToolError } from "../../../core/errors.ts";
import { forgetLogins } from "../../../sources/mcp/auth/stored-login.ts";
import { loadConfig } from "../../config/config.ts";
import { LOGINS } from "../../host/sources/mcp-sources.ts";
import { openPresentStore } from "../../host/store/open-configured-store.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";

/** Forgets the login at a server, also of one that is no longer configured. */
export async function logOutServer({ positionals, flags }: Arguments, { output }: World): Promise<number> {
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0)
    throw new ToolError("INVALID_INPUT", "name one server: toolwright mcp logout NAME");
  const store = await openPresentStore(loadConfig(flags));
  try {
    const wasThere = store !== undefined && (await forgetLogins(store.collections.open(LOGINS), name));
    await output.print(wasThere ? `forgot the login to ${name}\n` : `there was no login to ${name}\n`);
    return 0;
  } finally {
    await store?.close();
  }
}
