import { once } from "node:events";
import type { BoxedProgram } from "../../system/box/types.ts";

/** Connects its input and output with a socket. */
const CONNECT =
  'const s=require("net").connect(process.argv[1]);s.on("close",()=>process.exit()).on("error",()=>{});process.stdin.pipe(s).pipe(process.stdout)';

/**
 * Listens on a socket of this machine and connects each client with a socket in a sandbox that shares no files with this machine, through a process there
 * of its own. Returns a function that ends it.
 */
export async function bridgeSocket(
  path: string,
  target: string,
  { inside = [], environment }: Pick<BoxedProgram, "inside" | "environment">,
): Promise<() => void> {
  const [{ createServer }, { spawn }] = await Promise.all([import("node:net"), import("node:child_process")]);
  const [file, ...args] = [...inside, "node", "-e", CONNECT, target];
  const running = new Set<() => void>();
  const server = createServer((client) => {
    const child = spawn(file, args, { cwd: "/", env: environment, stdio: ["pipe", "pipe", "ignore"] });
    const end = (): void => {
      running.delete(end);
      client.destroy();
      child.kill();
    };
    running.add(end);
    for (const stream of [client, child, child.stdin, child.stdout]) stream.on("error", end);
    client.on("close", end).pipe(child.stdin);
    child.on("close", end).stdout.pipe(client);
  }).listen(path);
  await once(server, "listening");
  return () => {
    server.close();
    for (const end of running) end();
  };
}
