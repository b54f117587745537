import type { Server as HttpServer } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Ceiling } from "../../../core/policy.ts";
import { LISTEN } from "../server/listen-method.ts";
import { defined } from "../../../util/json/defined.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Gateway } from "../sessions/gateway.ts";
import { createAdmission } from "./admission.ts";
import { createGuard, isLoopback, reachedAt } from "./http-guard.ts";
import { hasRight, missingRight } from "../../config/access/http-tokens.ts";
import type { Caller } from "../../host/people/caller.ts";
import type { ServedPeople } from "../../host/people/host-people.ts";
import type { Refusal } from "../login/refusal.ts";
import type { ServerLogin } from "../login/login-types.ts";
import { createCallers } from "./callers.ts";
import { challengeOf, resourceMetadata } from "./protected-resource.ts";
import type { HttpTokens } from "./http-token.ts";
import { createUnanswered, listening, type ServedHttp } from "./listening.ts";
import { endWith } from "./end-with.ts";
import { createMcpDoors } from "./mcp-doors.ts";

export interface ServeHttpOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Required for a host that other machines can reach. */
  readonly isOnNetwork: boolean;
  readonly tokens: HttpTokens;
  readonly ceilings: readonly Ceiling[];
  readonly open: () => Promise<OpenedGateway>;
  readonly print: (line: string) => void;
}

/** A gateway, and the people who may use it besides those with a token of the server. */
export interface OpenedGateway {
  readonly gateway: Gateway;
  readonly people: ServedPeople | undefined;
  readonly login?: ServerLogin | undefined;
}

/** Serves any number of clients at `/mcp`. Rejects, before anything is opened, a network address without `isOnNetwork`. */
export async function serveHttp(options: ServeHttpOptions): Promise<ServedHttp> {
  const { host, port, tokens, ceilings, open, print } = options;
  if (!isLoopback(host) && !options.isOnNetwork)
    throw new ToolError("INVALID_INPUT", `${host} can be reached by other machines on the network`, {
      hint: "add --network to allow it: everyone who has the token can run tools on this machine",
    });
  const [{ serve }, { Hono }] = await Promise.all([import("@hono/node-server"), import("hono")]);
  const { gateway, people, login } = await open();
  const callers = createCallers({ tokens, ...defined({ people, clients: login?.clients }) });
  const mcp = createMcpDoors(gateway, ceilings, print);
  const app = new Hono<{ Bindings: HttpBindings; Variables: { caller: Caller } }>();
  const server = serve({ fetch: app.fetch, hostname: host, port }) as HttpServer;
  const bound = await listening(server, host, port).catch((error: unknown) => {
    callers.close();
    throw error;
  });
  const guard = createGuard({ callers, host, port: bound, url: login?.url });
  // In the same turn in which the port is known: no request has been read yet.
  app.use(async (context, next) => {
    const { raw } = context.req;
    const { pathname } = new URL(raw.url);
    const place = { base: guard.baseOf(raw), oidc: login?.setting };
    const metadata = login && !guard.foreign(raw) && resourceMetadata(pathname, place.base, login.setting);
    if (metadata) return metadata;
    const admitted = await guard.admit(raw);
    const isRefused = "status" in admitted;
    if (!isRefused && hasRight(admitted.caller.rights, ["call"])) {
      context.set("caller", admitted.caller);
      endWith(admitted.caller, context.env.outgoing);
      return next();
    }
    const refusal: Refusal = isRefused
      ? admitted
      : { status: 403, reason: missingRight(["call"], admitted.caller.subject?.id) };
    const challenge = challengeOf(refusal, pathname, place);
    if (challenge !== undefined) context.header("WWW-Authenticate", challenge);
    return context.json({ error: refusal.reason }, refusal.status);
  });
  const unanswered = createUnanswered();
  const admission = createAdmission();
  app.all("/mcp", (context) => {
    const { raw } = context.req;
    if (raw.method === "POST" && raw.headers.get("mcp-method") !== LISTEN)
      unanswered.add(context.env.outgoing);
    return admission.admit(raw, context.env.outgoing, () => mcp.fetch(raw, context.get("caller")));
  });
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    gateway.stop();
    await unanswered.none();
    await mcp.close();
    callers.close();
    server.closeAllConnections();
    await closed;
  };
  const address = `http://${reachedAt(host)}:${bound}/mcp?token=${tokens.call}`;
  return { address, close, [Symbol.asyncDispose]: close };
}
