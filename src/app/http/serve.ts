import type { ServedHttp } from "../gateway/http/listening.ts";
import { defined } from "../../util/json/defined.ts";
import { createCallers } from "../gateway/http/callers.ts";
import { hostPeople } from "../host/people/host-people.ts";
import { openLogin } from "../gateway/login/server-login.ts";
import { createMcpDoors } from "../gateway/http/mcp-doors.ts";
import type { ServeHttpOptions } from "../gateway/http/serve-http.ts";
import type { GatewayHost } from "../gateway/open-gateway.ts";
import { OTHER_ROUTES } from "./api/other-routes.ts";
import type { Handlers } from "./api/routes.ts";
import { callHandlers, runHandlers } from "./handlers/calls.ts";
import { fleetHandlers } from "./handlers/fleet.ts";
import { approvalHandlers } from "./handlers/approvals.ts";
import { hostHandlers, sandboxHandlers, toolHandlers } from "./handlers/host.ts";
import { explainHandlers } from "./handlers/explain.ts";
import { policyHandlers } from "./handlers/policy.ts";
import { chatHandlers, sessionHandlers } from "./handlers/sessions.ts";
import { pinHandlers, sourceHandlers } from "./handlers/sources.ts";
import { addApi, needs, readBody, type App } from "./server/app.ts";
import { createServed, type OpenServed } from "./server/create-served.ts";
import { execute } from "./server/execute.ts";
import { createMetrics } from "./server/metrics.ts";
import { checkServer, openServer, type ServerOptions } from "./server/open-server.ts";

export interface ServeOptions extends ServerOptions, Pick<ServeHttpOptions, "ceilings" | "print" | "tokens"> {
  readonly open: () => Promise<GatewayHost>;
  readonly warnings: string[];
}

const UNENCRYPTED =
  "add --cert and --key for TLS, or --network to serve it unencrypted: everyone who has the token can run tools on this machine";

/** Serves the console, the API, `/mcp`, `/execute` and `/metrics`. Rejects, before anything is opened, an address that would send the token unencrypted. */
export async function serve(options: ServeOptions): Promise<ServedHttp> {
  const { tokens, ceilings, open, print } = options;
  const checked = checkServer(options, UNENCRYPTED);
  const opened = await open();
  const closeOpened = async (): Promise<void> => {
    await opened.gateway.close();
    await opened.host.close();
  };
  const mcp = createMcpDoors(opened.gateway, ceilings, print);
  let served: OpenServed | undefined;
  const people = hostPeople(opened.host.config, opened.host.store);
  const login = openLogin(opened.host.config, people, opened.host.engine.masker.learn);
  const { clients, console } = login ?? {};
  const callers = createCallers({ tokens, ...defined({ people, clients, console }) });
  const server = await openServer({ ...options, callers, login }, checked, (app, ended) => {
    served = createServed(opened, options);
    addOperations(app, served, ended);
    app.all("/mcp", needs("call"), (context) => mcp.fetch(context.req.raw, context.get("caller")));
  }).catch(async (error: unknown) => {
    callers.close();
    await closeOpened();
    throw error;
  });
  await served?.ready;
  const close = async (): Promise<void> => {
    await server.close(
      async () => {
        opened.gateway.stop();
        await served?.stop();
      },
      () => mcp.close(),
    );
    await closeOpened();
  };
  return { address: `${server.address}?token=${tokens.admin}`, close, [Symbol.asyncDispose]: close };
}

/** Adds the API, `/execute` and `/metrics`. */
function addOperations(app: App, served: OpenServed, ended: AbortSignal): void {
  const metrics = createMetrics(served);
  const handlers: Handlers = {
    ...callHandlers(served),
    ...runHandlers(served),
    ...fleetHandlers(served),
    ...hostHandlers(served, ended),
    ...approvalHandlers(served),
    ...policyHandlers(served),
    ...explainHandlers(served),
    ...sourceHandlers(served),
    ...pinHandlers(served),
    ...toolHandlers(served),
    ...sandboxHandlers(served),
    ...sessionHandlers(served),
    ...chatHandlers(served),
  };
  addApi(app, handlers, OTHER_ROUTES);
  app.post("/execute", needs("call"), async (context) =>
    execute(served, context.get("caller"), context.req.raw, await readBody(context.req.raw)),
  );
  app.get("/metrics", needs("read"), async () => {
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    return new Response(await metrics(), { headers });
  });
}
