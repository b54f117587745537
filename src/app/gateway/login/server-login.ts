import { readFileSync } from "node:fs";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import type { OidcSetting } from "../../config/settings/auth-setting.ts";
import { keyIn, type LearnKey } from "../../host/keys/stored-key.ts";
import { requirePeopleStore, type ServedPeople } from "../../host/people/host-people.ts";
import { createClientLogin } from "./client-login.ts";
import { createConsoleLogin } from "./console-login.ts";
import type { ServerLogin } from "./login-types.ts";
import { createProvider } from "./provider.ts";

/** Throws if the config names a provider whose people its store cannot hold: without them, the server would let in only those with its tokens. */
export function checkLogin(config: ConfigGroups<"auth" | "storage" | "paths">): void {
  if (config.auth.oidc !== undefined) requirePeopleStore(config, "auth.oidc: ");
}

/** Returns the logins of a server; undefined if its config names no provider, or has no people. */
export function openLogin(
  config: ConfigGroups<"auth" | "environment" | "paths">,
  served: ServedPeople | undefined,
  learn: LearnKey,
): ServerLogin | undefined {
  const { oidc: setting, url } = config.auth;
  if (setting === undefined || served?.sessions === undefined) return undefined;
  const provider = createProvider(setting, () => secretOf(setting, config, learn));
  const { people, sessions } = served;
  return {
    setting,
    url,
    clients: createClientLogin(provider, served),
    console: createConsoleLogin(provider, { people, sessions }),
  };
}

/** Returns the secret of the client; undefined if it has none. */
async function secretOf(
  { clientSecretFile: file, clientSecretVariable: variable }: OidcSetting,
  config: ConfigGroups<"environment" | "paths">,
  learn: LearnKey,
): Promise<string | undefined> {
  if (file !== undefined)
    return secretIn(
      file.replace(/^~(?=\/)/, () => config.paths.userHome),
      learn,
    );
  if (variable === undefined) return undefined;
  const secret = await keyIn([variable], config, learn);
  if (secret !== undefined) return secret;
  throw new ToolError("MISSING_CREDENTIALS", `the secret of auth.oidc is missing: ${variable} is not set`, {
    hint: `set ${variable}, or name a file with clientSecretFile`,
  });
}

function secretIn(file: string, learn: LearnKey): string {
  try {
    const secret = readFileSync(file, "utf8").trim();
    learn(secret);
    return secret;
  } catch (cause) {
    throw new ToolError(
      "MISSING_CREDENTIALS",
      `the secret of auth.oidc cannot be read: ${errorMessage(cause)}`,
      {
        cause,
      },
    );
  }
}
