import type { Server as HttpServer } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Ceiling } from "../../../core/policy.ts";
import { LISTEN } from "../server/listen-method.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Gateway } from "../sessions/gateway.ts";
import { createAdmission } from "./admission.ts";
import { createGuard, isLoopback, reachedAt } from "./http-guard.ts";
import { hasRight, missingRight, TOKEN_RIGHTS, type TokenName } from "../../config/http-tokens.ts";
import type { HttpTokens } from "./http-token.ts";
import { createUnanswered, listening, type ServedHttp } from "./listening.ts";
import { createMcpHttp } from "./mcp-http.ts";
import { withoutForms } from "./without-forms.ts";

export interface ServeHttpOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Required for a host that other machines can reach. */
  readonly isOnNetwork: boolean;
  readonly tokens: HttpTokens;
  readonly ceilings: readonly Ceiling[];
  readonly open: () => Promise<Gateway>;
  readonly print: (line: string) => void;
}

/** Serves any number of clients at `/mcp`. Rejects, before anything is opened, a network address without `isOnNetwork`. */
export async function serveHttp(options: ServeHttpOptions): Promise<ServedHttp> {
  const { host, port, tokens, ceilings, open, print } = options;
  if (!isLoopback(host) && !options.isOnNetwork)
    throw new ToolError("INVALID_INPUT", `${host} can be reached by other machines on the network`, {
      hint: "add --network to allow it: everyone who has the token can run tools on this machine",
    });
  const [{ serve }, { Hono }] = await Promise.all([import("@hono/node-server"), import("hono")]);
  const gateway = await open();
  const mcp = await createMcpDoors(gateway, ceilings, print);
  const app = new Hono<{ Bindings: HttpBindings; Variables: { token: TokenName } }>();
  const server = serve({ fetch: app.fetch, hostname: host, port }) as HttpServer;
  const bound = await listening(server, host, port);
  const guard = createGuard({ tokens, host, port: bound });
  // In the same turn in which the port is known: no request has been read yet.
  app.use(async (context, next) => {
    const admitted = guard(context.req.raw);
    const isRefused = "status" in admitted;
    if (!isRefused && hasRight(TOKEN_RIGHTS[admitted.token], ["call"])) {
      context.set("token", admitted.token);
      return next();
    }
    const refusal = isRefused ? admitted : ({ status: 403, reason: missingRight(["call"]) } as const);
    if (refusal.status === 401) context.header("WWW-Authenticate", "Bearer");
    return context.json({ error: refusal.reason }, refusal.status);
  });
  const unanswered = createUnanswered();
  const admission = createAdmission();
  app.all("/mcp", (context) => {
    const { raw } = context.req;
    if (raw.method === "POST" && raw.headers.get("mcp-method") !== LISTEN)
      unanswered.add(context.env.outgoing);
    return admission.admit(raw, context.env.outgoing, () => mcp.fetch(raw, context.get("token")));
  });
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    gateway.stop();
    await unanswered.none();
    await mcp.close();
    server.closeAllConnections();
    await closed;
  };
  const address = `http://${reachedAt(host)}:${bound}/mcp?token=${tokens.call}`;
  return { address, close, [Symbol.asyncDispose]: close };
}

/** Serves clients by what their token may do: one that may not approve cannot answer a form, and its session belongs to no other. */
export async function createMcpDoors(
  gateway: Gateway,
  ceilings: readonly Ceiling[],
  print: (line: string) => void,
) {
  const create = (of: Gateway) => createMcpHttp(of, ceilings, print);
  const [asking, queued] = await Promise.all([create(gateway), create(withoutForms(gateway))]);
  return {
    fetch: (request: Request, token: TokenName): Promise<Response> =>
      (hasRight(TOKEN_RIGHTS[token], ["approve"]) ? asking : queued).fetch(request),
    close: async () => void (await Promise.all([asking.close(), queued.close()])),
  };
}
