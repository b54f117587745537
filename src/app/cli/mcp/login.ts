import { ToolError } from "../../../core/errors.ts";
import type { ConfiguredServer } from "../../../sources/mcp/config/config.ts";
import type { Login } from "../../../sources/mcp/types/login-types.ts";
import { logIn } from "../../../sources/mcp/login.ts";
import { hasAuthorization, type HttpServer } from "../../../sources/mcp/transport/server.ts";
import { openBrowser } from "../../../system/process/open-browser.ts";
import { LOGINS, loginAt, type McpEntry } from "../../host/sources/mcp-sources.ts";
import { openConfiguredStore, openPresentStore } from "../../host/store/open-configured-store.ts";
import { onlyArgument } from "../../terminal/input/check-arguments.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { visible } from "../../../util/text/visible.ts";
import { namedServer } from "./config-entries.ts";
import { forgetLogins } from "../../../sources/mcp/auth/stored-login.ts";
import { loadConfig } from "../../config/config.ts";

/** Logs in to a server through the user's browser, and stores the tokens. Never prints a token. */
export async function logInServer(args: Arguments, world: World): Promise<void> {
  const { output } = world;
  const name = onlyArgument(args.positionals, "server name: toolwright mcp login NAME");
  const { config, entry } = await namedServer(name, args, world);
  const server = serverWithLogins(entry, entry.configured);
  if (config.paths.store === ":memory:")
    throw new ToolError("INVALID_INPUT", "cannot store a login: the store is :memory:");
  await using store = await openConfiguredStore(config, output.warn);
  using interrupt = world.interrupt();
  const show = async (address: URL): Promise<void> => {
    await output.print(`log in to ${name} at:\n\n  ${address.href}\n\n`);
    const mayOpen = world.columns !== undefined && args.flags["no-browser"] !== true;
    const isOpened =
      mayOpen &&
      openBrowser(address, { platform: process.platform, variables: config.environment.variables });
    await output.print(
      `${isOpened ? "opened it in your browser; " : ""}waiting for the login, Ctrl-C cancels\n`,
    );
  };
  const stored = loginAt(server, entry, { config, collections: store.collections });
  const login = await logIn({ name, server, stored, show }, interrupt.signal);
  await output.print(login === undefined ? `${name} needs no login\n` : describe(name, login));
}

function serverWithLogins({ name, file }: McpEntry, { server }: ConfiguredServer): HttpServer {
  if (server.kind !== "http")
    throw new ToolError("INVALID_INPUT", `"${name}" runs as a child process and needs no login`, {
      hint: "pass credentials as variables: toolwright mcp add NAME --env …",
    });
  if (hasAuthorization(server))
    throw new ToolError("INVALID_INPUT", `"${name}" has an Authorization header in ${file}`, {
      hint: "remove the header to log in instead",
    });
  return server;
}

function describe(name: string, { tokens, expiresAt, discovery }: Login): string {
  const { authorizationServerMetadata: metadata, authorizationServerUrl: address } = discovery;
  const end = expiresAt === undefined ? "until it is revoked" : `until ${new Date(expiresAt).toISOString()}`;
  const lines = [
    `logged in to ${name} through ${metadata?.issuer ?? address}`,
    `granted: ${tokens.scope ?? "all requested scopes"}`,
    tokens.refresh_token === undefined ? `valid ${end}` : `valid ${end}, renewed automatically`,
  ];
  return `${visible(lines.join("\n"))}\n`;
}

/** Deletes the stored login for a server, which need not be configured any more. */
export async function logOutServer(
  { positionals, flags }: Arguments,
  { output, environment }: World,
): Promise<void> {
  const name = onlyArgument(positionals, "server name: toolwright mcp logout NAME");
  await using store = await openPresentStore(loadConfig(flags, environment()));
  const wasStored = store !== undefined && (await forgetLogins(store.collections.open(LOGINS), name));
  await output.print(wasStored ? `logged out of ${name}\n` : `no stored login for ${name}\n`);
}
