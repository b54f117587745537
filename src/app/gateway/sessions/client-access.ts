import { ToolError } from "../../../core/errors.ts";
import type { Job } from "../../../core/job.ts";
import type { Ceiling, Policy } from "../../../core/policy.ts";
import type { Verdict } from "../../../core/verdict.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { ResourcePlace } from "../types/gateway-types.ts";
import { isIncluded } from "./visible-tools.ts";
import { defined } from "../../../util/json/defined.ts";

const READ_RESOURCE = "read_resource";

/**
 * Judges a prompt like a tool with its name and server, and a resource like a call that reads it. A prompt needs no approval: the user
 * at the client chose it.
 */
export function createClientAccess(engine: Engine, judge: Policy["judge"], ceilings: readonly Ceiling[]) {
  return {
    /** Returns whether its ceilings include a prompt, by the name that it has here. */
    seesPrompt: (name: string): boolean => isIncluded(ceilings, name),
    /** Returns whether its ceilings include `read_resource`, and with it every resource. */
    seesResources: (): boolean => isIncluded(ceilings, READ_RESOURCE),
    checkPrompt: (server: string, name: string): void =>
      refuseDenied(judge(promptJob(server, name), { ceilings })),
    async checkResource({ server, uri }: ResourcePlace): Promise<void> {
      const call = { id: "access", name: READ_RESOURCE, input: { server, uri } };
      const { verdict, fault } = await engine.explain(call, { ceilings });
      if (fault !== undefined) throw new ToolError(fault.code, fault.message, fault);
      if (verdict !== undefined) refuseDenied(verdict);
    },
  };
}

function refuseDenied({ kind, reason, rule, hint }: Verdict): void {
  if (kind !== "deny") return;
  throw new ToolError("DENIED", reason, { ...defined({ hint }), details: { rule } });
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
  return { call: { id: "access", name, input: {} }, tool, input: {}, hidden: {}, facts, risk: tool.risk };
}
