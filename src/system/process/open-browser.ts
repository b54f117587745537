import type { Environment } from "./environment.ts";

export interface Desktop {
  readonly platform: NodeJS.Platform;
  readonly variables: Environment;
}

/** Opens an HTTP URL in the user's browser. Returns false if there is no desktop. Never throws. */
export function openBrowser(address: URL, { platform, variables }: Desktop): boolean {
  const opener = openerOf(platform, variables);
  if (opener === undefined || !/^https?:$/.test(address.protocol)) return false;
  const [file, ...args] = opener;
  const environment = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined),
  );
  // Loaded on use: few programs open a browser.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(file, [...args, address.href], {
    detached: true,
    stdio: "ignore",
    env: environment,
  });
  // The URL is printed as well, so a missing browser is not an error.
  child.on("error", () => undefined).unref();
  return true;
}

/** Returns a command without a shell, because the URL is untrusted. */
function openerOf(
  platform: NodeJS.Platform,
  { DISPLAY, WAYLAND_DISPLAY }: Environment,
): readonly [string, ...string[]] | undefined {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return (DISPLAY ?? WAYLAND_DISPLAY) === undefined ? undefined : ["xdg-open"];
}
