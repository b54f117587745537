import { ToolError } from "../../../core/errors.ts";
import type { Login } from "../../../sources/mcp/auth/stored-login.ts";
import { logIn } from "../../../sources/mcp/login.ts";
import type { HttpServer } from "../../../sources/mcp/transport/server.ts";
import { hasAuthorization } from "../../../sources/mcp/transport/server.ts";
import { openBrowser } from "../../../system/process/open-browser.ts";
import { loadTrustedConfig } from "../../host/store/apply-trust.ts";
import { loginAt } from "../../host/sources/mcp-sources.ts";
import { openConfiguredStore } from "../../host/store/open-configured-store.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { createInterrupt } from "../../terminal/input/interrupt.ts";
import { visible } from "../../../util/text/visible.ts";
import { namedEntry } from "./named-entry.ts";

/** Has the user log in at a server in their browser, and keeps what was granted. Never prints a token. */
export async function logInServer({ positionals, flags }: Arguments, world: World): Promise<number> {
  const { output } = world;
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0)
    throw new ToolError("INVALID_INPUT", "name one server: toolwright mcp login NAME");
  const trusted = await loadTrustedConfig(flags);
  const { config } = trusted;
  const entry = namedEntry(trusted, name);
  const server = serverWithLogins(entry);
  if (config.store === ":memory:")
    throw new ToolError("INVALID_INPUT", "a login is saved in the store, and this one is :memory:");
  const store = await openConfiguredStore(config);
  const interrupt = createInterrupt();
  const show = async (address: URL): Promise<void> => {
    await output.print(`log in to ${name} at:\n\n  ${address.href}\n\n`);
    const mayOpen = world.columns !== undefined && flags["no-browser"] !== true;
    const isOpened =
      mayOpen && openBrowser(address, { platform: process.platform, variables: config.variables });
    await output.print(`${isOpened ? "your browser opens it; " : ""}waiting for it, Ctrl-C gives up\n`);
  };
  try {
    const stored = loginAt(server, entry, { config, collections: store.collections });
    const login = await logIn({ name, server, stored, show }, interrupt.signal);
    await output.print(login === undefined ? `${name} needs no login\n` : describe(name, login));
    return 0;
  } finally {
    interrupt.close();
    await store.close();
  }
}

function serverWithLogins({ name, file, configured }: ReturnType<typeof namedEntry>): HttpServer {
  const { server } = configured;
  if (server.kind !== "http")
    throw new ToolError("INVALID_INPUT", `"${name}" is a program: there is no login to it`, {
      hint: "its credentials are variables: toolwright mcp add NAME --env …",
    });
  if (hasAuthorization(server))
    throw new ToolError("INVALID_INPUT", `"${name}" has an Authorization header in ${file}`, {
      hint: "take the header out to log in instead",
    });
  return server;
}

function describe(name: string, { tokens, expiresAt, discovery }: Login): string {
  const { authorizationServerMetadata: found, authorizationServerUrl: address } = discovery;
  const end = expiresAt === undefined ? "until it is refused" : `until ${new Date(expiresAt).toISOString()}`;
  const lines = [
    `logged in to ${name} through ${found?.issuer ?? address}`,
    `granted: ${tokens.scope ?? "what was asked for"}`,
    tokens.refresh_token === undefined ? `it lasts ${end}` : `it lasts ${end}, and is renewed by itself`,
  ];
  return `${visible(lines.join("\n"))}\n`;
}
