import { spawn } from "node:child_process";
import type { Environment } from "./environment.ts";

export interface Desktop {
  readonly platform: NodeJS.Platform;
  readonly variables: Environment;
}

/** Opens an http address in the user's browser, where there is a desktop to have one. Gives whether it was tried; never throws. */
export function openBrowser(address: URL, { platform, variables }: Desktop): boolean {
  const opener = openerOf(platform, variables);
  if (opener === undefined || !/^https?:$/.test(address.protocol)) return false;
  const [file, ...args] = opener;
  const environment = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined),
  );
  const child = spawn(file, [...args, address.href], {
    detached: true,
    stdio: "ignore",
    env: environment,
  });
  // The address is printed as well: a browser that is not there costs nothing.
  child.on("error", () => undefined).unref();
  return true;
}

/** No shell: an address is a stranger's text. */
function openerOf(
  platform: NodeJS.Platform,
  { DISPLAY, WAYLAND_DISPLAY }: Environment,
): readonly [string, ...string[]] | undefined {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return (DISPLAY ?? WAYLAND_DISPLAY) === undefined ? undefined : ["xdg-open"];
}
