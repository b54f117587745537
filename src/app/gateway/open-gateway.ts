import type { ApprovalRequest } from "../../core/approval.ts";
import type { Listener } from "../../core/events.ts";
import { createApprovalQueue } from "../../store/database/approval-queue.ts";
import { applyTrust } from "../host/store/apply-trust.ts";
import { assemble } from "../host/assemble.ts";
import type { Config, ConfigFlags } from "../config/config.ts";
import { visible } from "../../util/text/visible.ts";
import { createConfiguredPolicy, readConfiguredRules } from "../host/policy.ts";
import { openConfiguredStore } from "../host/store/open-configured-store.ts";
import { watchConfigured } from "../host/sources/watch-configured.ts";
import { createApprovals } from "./sessions/approvals.ts";
import { createGateway } from "./sessions/gateway.ts";
import type { Gateway } from "./types/gateway-types.ts";
import { createUpstream } from "./upstream/upstream-mcp.ts";

export interface OpenGatewayOptions {
  readonly flags: ConfigFlags;
  /** As it was read before anything was trusted. */
  readonly untrusted: Config;
  readonly warn: (warning: string) => void;
  readonly onQueued: (request: ApprovalRequest) => void;
  /** Hears every event from the first on. */
  readonly log: Listener | undefined;
}

/** Opens the store, puts the engine together and serves it; sources load in the background. What it opens, `close` closes. */
export async function openGateway(options: OpenGatewayOptions): Promise<Gateway> {
  const { flags, untrusted, warn, onQueued, log } = options;
  const store = await openConfiguredStore(untrusted);
  const { config, isTrusted, trust, warnings } = await applyTrust(flags, untrusted, store.collections);
  const rules = await readConfiguredRules(config, trust);
  const policy = createConfiguredPolicy(config, rules);
  // Nobody else can look into what is only in this process's memory.
  const isShared = config.store !== ":memory:";
  // Of the engine, which learns tokens of logins as they come.
  const mask = (text: string): string => assembly.engine.masker.text(text);
  const queue = isShared ? { queue: createApprovalQueue(store.collections, { mask }).approver } : {};
  const approvals = createApprovals({
    ...queue,
    onQueued(request) {
      onQueued(request);
      gateway.notify(
        request.session,
        "notice",
        `${visible(request.tool)} waits for approval: run toolwright approve`,
      );
    },
  });
  const assembly = assemble(config, {
    store,
    policy,
    isTrusted,
    isLongLived: true,
    approver: approvals.approver,
    ...(log !== undefined && { log }),
  });
  for (const warning of [
    ...config.warnings,
    ...warnings,
    ...rules.problems,
    ...rules.notes,
    ...assembly.warnings,
  ])
    warn(warning);
  const watcher = watchConfigured(config, assembly.engine, warn);
  const { callTimeoutMs } = config;
  const gateway: Gateway = createGateway({
    engine: assembly.engine,
    approvals,
    policy,
    artifacts: store.artifacts,
    toolLimit: config.mcpToolLimit,
    mask,
    ...(assembly.mcp !== undefined && { upstream: createUpstream(assembly.mcp) }),
    ...(callTimeoutMs !== undefined && { timeoutMs: callTimeoutMs }),
  });
  return {
    ...gateway,
    async close() {
      watcher?.close();
      await gateway.close();
      await assembly.close();
    },
  };
}
