import { join } from "node:path";
import { PROXY_URL, throughRelay } from "../../../system/box/relay.ts";
import type { Box, BoxedProgram } from "../../../system/box/types.ts";
import { defined } from "../../../util/json/defined.ts";

/** Fonts, and what the browsers of distributions read at their start. */
const SETTINGS = "fonts chromium chromium.d machine-id opt/chrome opt/edge ssl"
  .split(" ")
  .map((name) => `/etc/${name}`);
/** The name of the proxy's socket in the shared folder. */
export const SOCKET = "proxy";
/** Where the folder with the socket is in the sandbox, under a short path. */
const INSIDE = "/tmp/shared";
/** The standard ones, and the pipes to the browser. */
const DESCRIPTORS = 5;

/** Folders outside: one of this process alone, and one in it that the browser may write. */
interface BrowserFolders {
  readonly own: string;
  readonly shared: string;
}

/** Returns the program for the browser's sandbox: a small one connects a port of the sandbox's own loopback with the socket of the proxy, and starts it. */
export function relayed(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): BoxedProgram {
  const { PATH = "", LANG } = environment;
  const program = {
    file,
    args: [`--proxy-server=${PROXY_URL}`, ...args],
    cwd: "/",
    environment: { PATH, HOME: "/tmp/home", ...defined({ LANG }) },
  };
  return throughRelay(program, `${INSIDE}/${SOCKET}`, DESCRIPTORS);
}

/** Returns what a browser may access whose program is in a folder. */
export function browserBox(folder: string, { own, shared }: BrowserFolders): Box {
  return {
    workspace: [shared, INSIDE],
    copies: new Map([[INSIDE, shared]]),
    readable: [...SETTINGS, ...(folder.startsWith("/usr/") ? [] : [folder])],
    hasNetwork: false,
    isUnprivileged: process.getuid?.() === 0,
    // For the browser's own sandbox.
    allowsUserNamespaces: true,
    filterFile: join(own, "filter"),
  };
}
