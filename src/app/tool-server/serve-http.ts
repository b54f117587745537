import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, resolve } from "node:path";
import type { Writable } from "node:stream";
import { ToolError } from "../../core/errors.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { AnswerForm } from "../../remote/tool-result.ts";
import { createToolServer } from "../../remote/tool-server.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** How long running calls may take to end after TERM. */
const DRAIN_MS = 5000;

/** Where the server listens. */
export interface ListenOptions {
  readonly socket?: string | undefined;
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly answers: AnswerForm;
}

interface Served {
  readonly output: Writable;
  readonly env: NodeJS.ProcessEnv;
  /** Resolves when the server shall end. */
  readonly stop: Promise<void>;
}

/** Serves the engine over HTTP, and prints the address and, if it is a new one, the token. */
export async function serveHttp(
  engine: Engine,
  options: ListenOptions,
  { output, env, stop }: Served,
): Promise<void> {
  const fixedToken = env["TOOLWRIGHT_TOOL_SERVER_TOKEN"];
  if (fixedToken !== undefined && !/^\S+$/.test(fixedToken))
    throw new ToolError("INVALID_INPUT", "TOOLWRIGHT_TOOL_SERVER_TOKEN is empty or contains a space", {
      hint: "set it to a token, or unset it: a new token is printed",
    });
  const token = fixedToken ?? randomBytes(24).toString("base64url");
  const server = await createToolServer({ engine, token, answers: options.answers });
  const address = await listen(server.http, options);
  output.write(`listening on ${address}\n`);
  if (fixedToken === undefined) output.write(`token ${token}\n`);
  await stop;
  await server.drain(DRAIN_MS);
  if (options.socket !== undefined) rmSync(options.socket, { force: true });
}

/** Listens and returns the address for people. */
async function listen(
  http: Server,
  { socket, port = "0", host = "127.0.0.1" }: ListenOptions,
): Promise<string> {
  const number = Number(port);
  if (socket !== undefined && port !== "0")
    throw new ToolError("INVALID_INPUT", "--socket and --port cannot be combined");
  if (!/^\d+$/.test(port) || number > 65_535)
    throw new ToolError(
      "INVALID_INPUT",
      `--port must be a number from 0 to 65535, not ${JSON.stringify(port)}`,
    );
  if (socket !== undefined) {
    await listenOnSocket(http, socket);
    return socket;
  }
  http.listen(number, host);
  await once(http, "listening");
  return `http://${host}:${(http.address() as AddressInfo).port}`;
}

/** Creates the socket by its short name, because a path may be longer than sockets allow, and for this user only. */
async function listenOnSocket(http: Server, socket: string): Promise<void> {
  const before = { folder: process.cwd(), mask: process.umask(0o177) };
  try {
    process.chdir(dirname(resolve(socket)));
    http.listen(basename(socket));
    await once(http, "listening");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ToolError("INVALID_INPUT", `cannot listen on ${socket}: ${code ?? errorMessage(cause)}`, {
      cause,
      hint: "name a file in a folder that exists; remove a socket that a killed server left behind",
    });
  } finally {
    process.umask(before.mask);
    process.chdir(before.folder);
  }
}
