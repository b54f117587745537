import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import { createSecureContext } from "node:tls";
import { ToolError } from "../../../core/errors.ts";
import { loadCrypto } from "../../../system/crypto.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { createAdmission } from "../../gateway/http/admission.ts";
import { isLoopback, reachedAt } from "../../gateway/http/http-guard.ts";
import type { Callers } from "../../gateway/http/callers.ts";
import type { ServerLogin } from "../../gateway/login/login-types.ts";
import { createUnanswered, listening } from "../../gateway/http/listening.ts";
import { addAccess } from "./access.ts";
import { errorResponse, type App } from "./app.ts";
import { consoleFile } from "./console-files.ts";

export interface ServerOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Files in PEM form. Without it, a host that other machines can reach needs `isOnNetwork`. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly isOnNetwork: boolean;
}

/** Throws for an address that would send the token unencrypted, and for files that are no certificate with its key. */
export function checkServer({ host, tls, isOnNetwork }: ServerOptions, hint: string) {
  if (!isLoopback(host) && tls === undefined && !isOnNetwork)
    throw new ToolError(
      "INVALID_INPUT",
      `${host} can be reached by other machines on the network, without encryption`,
      { hint },
    );
  return tls === undefined ? undefined : readTls(tls);
}

/**
 * Listens, and serves the console with what `addOperations` adds; it is called in the same turn in which the port is known, before any
 * request is read. Its signal is aborted when streams must end.
 */
export async function openServer(
  options: ServerOptions & { readonly callers: Callers; readonly login?: ServerLogin | undefined },
  checked: ReturnType<typeof checkServer>,
  addOperations: (app: App, ended: AbortSignal) => void,
) {
  const { host, port, callers, login } = options;
  const [node, { Hono }] = await Promise.all([import("@hono/node-server"), import("hono")]);
  const { createServer } = await import("node:https");
  const app: App = new Hono();
  const secure = checked === undefined ? {} : { createServer, serverOptions: checked };
  // An address of IPv6 may be given as in a URL.
  const hostname = host.replace(/^\[(.*)\]$/, "$1");
  const server = node.serve({ fetch: app.fetch, hostname, port, ...secure }) as HttpServer;
  const bound = await listening(server, host, port);
  const ending = new AbortController();
  const unanswered = createUnanswered();
  const admission = createAdmission();
  addAccess(app, { callers, host, port: bound, isSecure: checked !== undefined, login });
  app.use(async (context, next) => {
    const { outgoing } = context.env;
    if (context.req.method !== "GET") unanswered.add(outgoing);
    context.res = await admission.admit(context.req.raw, outgoing, async () => {
      await next();
      return context.res;
    });
  });
  addOperations(app, ending.signal);
  app.get("*", (context) =>
    consoleFile(new URL(context.req.url).pathname, context.req.header("accept-encoding")),
  );
  app.all("*", () => errorResponse(405, { code: "METHOD_NOT_ALLOWED", message: "no such operation" }));
  return {
    address: `${checked === undefined ? "http" : "https"}://${reachedAt(host)}:${bound}/`,
    /** Accepts nothing more, waits for `stop` and then for the answers that are on their way, and closes what remains. */
    async close(stop: () => Promise<void>, closeDoors?: () => Promise<void>): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      await stop();
      ending.abort();
      await unanswered.none();
      await closeDoors?.();
      callers.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Throws unless the files are a certificate and its key in PEM form. */
function readTls(files: NonNullable<ServerOptions["tls"]>) {
  const read = (part: "cert" | "key"): Buffer => {
    try {
      const pem = readFileSync(files[part]);
      createSecureContext({ [part]: pem });
      return pem;
    } catch (cause) {
      const what = part === "cert" ? "certificate" : "private key";
      const expected = part === "cert" ? "a certificate" : "a private key, without a passphrase,";
      throw new ToolError("INVALID_INPUT", `cannot read the ${what} ${files[part]}: ${errorMessage(cause)}`, {
        hint: `expected ${expected} in PEM form`,
        cause,
      });
    }
  };
  const [cert, key] = [read("cert"), read("key")];
  const { X509Certificate } = loadCrypto();
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new ToolError("INVALID_INPUT", `${files.key} is not the key of the certificate ${files.cert}`);
  return { cert, key };
}
