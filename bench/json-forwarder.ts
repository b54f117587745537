// The floor of a tool behind the gateway: a proxy that parses each message, gives it an id of its own and writes it again.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { resolve } from "node:path";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
}

const server = spawn(process.execPath, [resolve("bench/bare-mcp-server.ts")], {
  stdio: ["pipe", "pipe", "inherit"],
});
const ids = new Map<number, Message["id"]>();
let count = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as Message;
  const isRequest = message.id !== undefined && message.method !== undefined;
  if (isRequest) ids.set((count += 1), message.id);
  server.stdin.write(`${JSON.stringify(isRequest ? { ...message, id: count } : message)}\n`);
});
createInterface({ input: server.stdout }).on("line", (line) => {
  const message = JSON.parse(line) as Message;
  const id = typeof message.id === "number" ? ids.get(message.id) : undefined;
  if (id !== undefined) ids.delete(Number(message.id));
  process.stdout.write(`${JSON.stringify(id === undefined ? message : { ...message, id })}\n`);
});
process.stdin.on("end", () => server.kill());
server.on("exit", () => process.exit());
