import { compileAllowedHosts } from "../../util/text/host/host-pattern.ts";
import { unable } from "./refuse.ts";
import type { Box, BoxedProgram } from "./types.ts";

const PORT = 3128;
/** The proxy as programs in a sandbox reach it: the sandbox has its own loopback, on which nothing else listens. */
export const PROXY_URL = `http://127.0.0.1:${PORT}`;
/** Where the socket of the proxy is in the sandbox. */
const SOCKET = "/run/toolwright/proxy";

/** The variables by which programs find a proxy. */
const PROXY_VARIABLES = ["HTTP", "HTTPS", "ALL"].flatMap((name) => [
  `${name}_PROXY`,
  `${name.toLowerCase()}_proxy`,
]);
const DIRECT_VARIABLES = ["NO_PROXY", "no_proxy"];
/** Node itself reads the others only then. */
const NODE_VARIABLE = "NODE_USE_ENV_PROXY";

/** The variables that a program in a sandbox with domains gets. */
export const RELAY_VARIABLES = [...PROXY_VARIABLES, ...DIRECT_VARIABLES, NODE_VARIABLE];

/** Returns true for a sandbox that reaches some hosts only. */
export function isProxied({ domains = [], hasNetwork }: Box): boolean {
  return domains.length > 0 && !hasNetwork;
}

/** Returns the mounts of bubblewrap for the relay and the socket. */
export function proxyMounts(box: Box): readonly string[] {
  const { proxySocket } = box;
  if (proxySocket === undefined) return [];
  return ["--ro-bind", process.execPath, process.execPath, "--ro-bind", proxySocket, SOCKET];
}

/**
 * Returns the program as it is started in a sandbox that reaches some hosts only: by a relay from a port of the sandbox to the socket of the proxy, with
 * the variables that name the port. Throws `UNAVAILABLE` if there is no proxy.
 */
export function throughProxy(program: BoxedProgram, box: Box): BoxedProgram {
  if (!isProxied(box)) return program;
  const { domains = [], proxySocket } = box;
  if (proxySocket === undefined)
    throw unable(
      "it has no proxy that limits the network to domains",
      "list domains in sandboxOptions, and start programs in the sandbox of a session",
    );
  const isListed = compileAllowedHosts(domains);
  const direct = ["localhost", "127.0.0.1", "::1"].filter((host) => !isListed(host)).join(",");
  const variables = [
    ...PROXY_VARIABLES.map((name) => [name, PROXY_URL]),
    ...DIRECT_VARIABLES.map((name) => [name, direct]),
    [NODE_VARIABLE, "1"],
  ];
  const environment = { ...program.environment, ...Object.fromEntries(variables) };
  return throughRelay({ ...program, environment }, SOCKET);
}

/** Returns the program so that Node starts it, with its first `descriptors`, and connects the port of the proxy with a socket meanwhile. */
export function throughRelay(program: BoxedProgram, socket: string, descriptors = 3): BoxedProgram {
  const args = ["-e", RELAY, String(PORT), socket, String(descriptors), program.file, ...program.args];
  return { ...program, file: process.execPath, args };
}

const RELAY = `
const net = require("node:net");
const [port, socket, descriptors, file, ...args] = process.argv.slice(1);
const server = net.createServer({ allowHalfOpen: true }, (client) => {
  const proxy = net.connect({ path: socket, allowHalfOpen: true });
  for (const [one, other] of [[client, proxy], [proxy, client]]) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
    one.pipe(other);
  }
});
server.listen(Number(port), "127.0.0.1", () => {
  const stdio = Array.from({ length: Number(descriptors) }, (_one, index) => index);
  const child = require("node:child_process").spawn(file, args, { stdio });
  child.on("error", (error) => { console.error(error.message); process.exit(1); });
  child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
});
`;
