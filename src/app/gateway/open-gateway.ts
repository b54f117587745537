import type { Listener } from "../../core/events.ts";
import { defined } from "../../util/json/defined.ts";
import { reduceTools } from "../host/agent/default-tools.ts";
import type { Host, RunOptions } from "../host/host.ts";
import { openHost } from "../host/open-host.ts";
import type { UntrustedConfig } from "../host/store/apply-trust.ts";
import { hostPeople, type ServedPeople } from "../host/people/host-people.ts";
import type { ServerLogin } from "./login/login-types.ts";
import { openLogin } from "./login/server-login.ts";
import { visible } from "../../util/text/visible.ts";
import { answeredBy } from "../host/approvals/answers.ts";
import { createClientApprovals } from "./sessions/approvals.ts";
import { createGateway, type Gateway } from "./sessions/gateway.ts";
import { unmatchedNames } from "./sessions/visible-tools.ts";
import { createUpstream } from "./upstream/upstream-mcp.ts";

export interface OpenGatewayOptions extends UntrustedConfig {
  readonly warn: (warning: string) => void;
  /** Called with a line for people about a call that waits for approval. */
  readonly onQueued: (message: string) => void;
  /** The names that limit the tools; a warning tells which of them match none. */
  readonly tools?: readonly string[] | undefined;
  /** Receives every event. */
  readonly log: Listener | undefined;
}

/** A gateway and the host that it serves. */
export interface GatewayHost {
  readonly host: Host;
  readonly gateway: Gateway;
}

/** Opens a host and serves it to MCP clients; sources load in the background. `close` closes the host too. */
export async function openGateway(
  options: OpenGatewayOptions,
): Promise<Gateway & { readonly people: ServedPeople | undefined; readonly login: ServerLogin | undefined }> {
  const { host, gateway } = await openGatewayHost(options);
  const people = hostPeople(host.config, host.store);
  void warnOfNames(host, options);
  return {
    ...gateway,
    people,
    login: openLogin(host.config, people, host.engine.masker.learn),
    async close() {
      await gateway.close();
      await host.close();
    },
  };
}

/** Warns of names that match no tool once all tools are known: a source that failed, or was closed, may have them. */
async function warnOfNames({ engine }: Host, { tools = [], warn }: OpenGatewayOptions): Promise<void> {
  await engine.sources.settled();
  if (engine.sources.state() !== "failed") for (const line of unmatchedNames(tools, engine)) warn(line);
}

/** Like `openGateway`, for a program that uses the host itself too. Closing the gateway does not close the host. */
export async function openGatewayHost(
  options: OpenGatewayOptions & Pick<RunOptions, "readsInstructions">,
): Promise<GatewayHost> {
  const { flags, config: untrusted, warn, onQueued, log } = options;
  const approvals = createClientApprovals();
  const host = await openHost({
    flags,
    config: untrusted,
    need: "stay",
    passesSampling: true,
    readsInstructions: options.readsInstructions ?? false,
    approvers: [answeredBy("the user of an MCP client", approvals.approver)],
    // With a store in memory no other process could answer.
    asksQueue: untrusted.paths.store !== ":memory:",
    warn,
    log: () => log,
  });
  const { engine, judge, store, config, mcp } = host;
  const gateway = createGateway({
    engine,
    // With run_code, one call of a client makes many calls of the servers behind the gateway.
    reduced: reduceTools(engine, config.tools.groups, ["run_code"]),
    approvals,
    judge,
    artifacts: store.artifacts,
    toolLimit: config.tools.limit,
    clients: config.mcp.clients,
    concurrency: config.calls.concurrency,
    mask: engine.masker.text,
    ...defined({ upstream: mcp && createUpstream(mcp), timeoutMs: config.calls.callTimeoutMs }),
    ...defined({ telemetry: host.telemetry }),
  });
  host.approver.identify(approvals.callerOf);
  host.approver.onQueued((request, id) => {
    const { tool, session } = request;
    const why = gateway.mayApprove(session)
      ? ""
      : ", with no form, since the token of its client may not approve";
    const waits = `${visible(tool)} waits for approval${why}: answer it in the console, or run toolwright approve ${id}`;
    onQueued(waits);
    gateway.notify(session, "notice", waits);
  });
  return { host, gateway };
}
