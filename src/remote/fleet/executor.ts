import type { ToolContext } from "../../core/context.ts";
import type { Executor } from "../../core/executor.ts";
import type { Job } from "../../core/job.ts";
import { SessionKey } from "../../core/session/session.ts";
import type { RanOn, ToolResult } from "../../core/result.ts";
import { createReceivedArtifact, toOutput, toSent } from "../remote-call.ts";
import { MAX_TIMEOUT_MS } from "../wire.ts";
import type { OpenFleet } from "./open-fleet.ts";
import { ruleFor } from "./route.ts";
import type { FleetLimit, FleetRule } from "./types/options.ts";
import { readArtifact } from "./sent-artifacts.ts";
import { ask, type Draft } from "./send-job.ts";
import { versionOf, type StoredAnswer } from "./wire.ts";

export interface SendingOptions {
  readonly open: () => Promise<OpenFleet>;
  readonly rules?: readonly FleetRule[] | undefined;
  readonly pools?: Readonly<Record<string, FleetLimit>> | undefined;
  readonly tools?: Readonly<Record<string, FleetLimit>> | undefined;
}

/** Creates the executor for the place `fleet`: a worker of the fleet runs the job. */
export function createSendingExecutor(options: SendingOptions): Executor {
  const { open, rules = [], pools = {}, tools = {} } = options;
  const workers = new WeakMap<ToolContext, RanOn>();
  return {
    place: "fleet",
    ranOn: (context) => workers.get(context),
    isElsewhere: true,
    // It fails at once if no worker can run the job, and a worker has tried again.
    retriesItself: true,
    overrides: (tool) => {
      const rule = ruleFor(rules, tool);
      return rule !== undefined && rule.place !== "own";
    },
    async execute(job, context) {
      const { tool } = job;
      const fleet = await open();
      const rule = ruleFor(rules, tool) ?? {};
      const pool = fleet.choosePool(`${tool.name}@${versionOf(tool)}`, rule);
      const head = headOf(job, context, { ...rule, pool }, fleet);
      const limits = [
        [`the pool ${pool}`, pools[pool]],
        [`the tool ${tool.name}`, tools[tool.name]],
      ] as const;
      const leave: (() => void)[] = [];
      try {
        for (const [name, limit] of limits) {
          if (limit === undefined) continue;
          const { key, expiresAt } = head;
          leave.push(await fleet.enterLimit(name, limit, { key, expiresAt, signal: context.signal }));
        }
        const input = Buffer.from(JSON.stringify(toSent(job).params));
        const answer = await ask(fleet, { head, input }, context);
        if (answer.ranOn !== undefined) workers.set(context, answer.ranOn);
        return toOutput(await receive(fleet, answer, context));
      } finally {
        for (const one of leave) one();
      }
    },
  };
}

function headOf(
  { call, tool, facts }: Job,
  context: ToolContext,
  { pool, lane = "normal", labels = [] }: FleetRule & { readonly pool: string },
  { engineId, names, identity }: OpenFleet,
): Draft {
  const { attempt, idempotencyKey, deadlineAt } = context;
  return {
    // A further attempt of the engine is for a further answer.
    key: attempt > 1 ? `${idempotencyKey}-${attempt}` : idempotencyKey,
    id: call.id,
    tool: tool.name,
    version: versionOf(tool),
    effects: tool.effects,
    namespace: names.namespace,
    // A call that is sent again is for the same streams: in others it may run although it has run before.
    streams: identity.known(),
    pool,
    lane,
    labels,
    session: context.get(SessionKey).id,
    engine: engineId,
    expiresAt: Date.now() + Math.min(deadlineAt - performance.now(), MAX_TIMEOUT_MS),
    ...(facts.some((fact) => fact.kind === "command" && fact.isGuarded === true) && { isGuarded: true }),
  };
}

/** Returns the result of an answer, whose artifacts are stored on this machine. */
async function receive(fleet: OpenFleet, answer: StoredAnswer, context: ToolContext): Promise<ToolResult> {
  let { result } = answer;
  for (const sent of answer.artifacts ?? []) {
    await using artifact = createReceivedArtifact(context);
    for await (const text of readArtifact(fleet.payloads, sent))
      await artifact.receive({ id: sent.name, text });
    result = artifact.withOwnId(result);
  }
  return result;
}
