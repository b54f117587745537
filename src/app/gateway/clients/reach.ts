import { ToolError } from "../../../core/errors.ts";
import type { Job } from "../../../core/job.ts";
import type { Ceiling, Policy, Verdict } from "../../../core/policy.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { isOffered } from "./shown-tools.ts";
import type { Admission, ResourcePlace } from "../upstream/upstream.ts";

/** What one client may have of servers behind us besides their tools. */
export interface Reach extends Admission {
  /** Whether its ceilings have a prompt, by the name that it has here. */
  showsPrompt(name: string): boolean;
  /** Whether its ceilings have `read_resource`, and with it any resource. */
  showsResources(): boolean;
}

export interface ReachOptions {
  readonly engine: Pick<Engine, "explain">;
  readonly policy: Policy;
  readonly ceilings: readonly Ceiling[];
}

const READ_RESOURCE = "read_resource";

/**
 * A prompt is bounded as a tool of its name and server would be, a resource as reading it: what is denied is not reached in any way. A
 * prompt was chosen by the person at the client, so nobody is asked about it.
 */
export function createReach({ engine, policy, ceilings }: ReachOptions): Reach {
  return {
    showsPrompt: (name) => isOffered(ceilings, name),
    showsResources: () => isOffered(ceilings, READ_RESOURCE),
    admitPrompt: (server, name) => refuseDenied(policy.judge(promptJob(server, name), { ceilings })),
    async admitResource({ server, uri }: ResourcePlace) {
      const call = { id: "reach", name: READ_RESOURCE, input: { server, uri } };
      const { verdict, fault } = await engine.explain(call, { ceilings });
      if (fault !== undefined) throw new ToolError(fault.code, fault.message, fault);
      if (verdict !== undefined) refuseDenied(verdict);
    },
  };
}

function refuseDenied({ kind, reason, rule, hint }: Verdict): void {
  if (kind !== "deny") return;
  throw new ToolError("DENIED", reason, { ...(hint !== undefined && { hint }), details: { rule } });
}

function promptJob(server: string, name: string): Job {
  const tool: Tool = {
    name,
    description: "",
    input: { type: "object" },
    risk: "low",
    effects: "none",
    place: "host",
    source: `mcp:${server}`,
    run: () => "",
  };
  const facts = [{ kind: "mcp", server, tool: "prompts/get" }] as const;
  return { call: { id: "reach", name, input: {} }, tool, input: {}, hidden: {}, facts, risk: tool.risk };
}
