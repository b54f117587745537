import { spawn } from "node:child_process";
import { once } from "node:events";

/** A program that has printed its address. */
export interface Printing {
  readonly line: string;
  close(): Promise<void>;
}

/** Starts a program and returns its first line of output. Rejects if it ends without one. */
export async function startPrinting(program: {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}): Promise<Printing> {
  const { command, args, env } = program;
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let text = "";
  await Promise.race([
    new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (text.includes("\n")) resolve();
      });
    }),
    ended.then(() => Promise.reject(new Error(`${args.join(" ")} ended`))),
  ]);
  return {
    line: text.slice(0, text.indexOf("\n")),
    async close() {
      child.kill();
      await ended;
    },
  };
}
