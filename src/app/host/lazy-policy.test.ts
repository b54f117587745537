import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../core/fact.ts";
import type { Job } from "../../core/job.ts";
import { MODES, type Circumstances } from "../../core/policy.ts";
import { RISKS } from "../../core/spec.ts";
import { ProtectedPaths } from "../../core/session/hidden-paths.ts";
import type { Tool } from "../../core/tool.ts";
import { createLazyPolicy } from "./lazy-policy.ts";
import { createDefaultPolicy } from "./policy.ts";

const TOOL = { name: "t", aliases: [], source: "app", needs: [] } as unknown as Tool;

function jobOf(risk: Job["risk"], facts: readonly Fact[] = [], tool: Tool = TOOL): Job {
  return { call: { id: "1", name: "t", input: {} }, tool, input: {}, hidden: {}, facts, risk };
}

const PATH: Fact = { kind: "path", path: "/etc/shadow", access: "read" };
const options = { home: "/home/ada", workspace: ["/w"] };

test("before and after its tables are loaded, every mode decides about every risk as the whole policy does", async () => {
  for (const mode of MODES)
    for (const risk of RISKS) {
      const whole = createDefaultPolicy({ ...options, mode });
      const lazy = createLazyPolicy({ ...options, mode });
      const job = jobOf(risk);
      await lazy.prepare?.(job, () => undefined);
      assert.deepEqual(lazy.judge(job), whole.judge(job));
      await lazy.prepare?.(jobOf(risk, [PATH]), () => undefined);
      assert.deepEqual(lazy.judge(job), whole.judge(job));
      assert.deepEqual(lazy.judge(jobOf(risk, [PATH])), whole.judge(jobOf(risk, [PATH])));
    }
});

test("a call that mode and risk allow needs no tables; facts, rules, limits, untrusted text and needs of the tool load them", () => {
  const isPrepared = (job: Job, circumstances?: Circumstances, rules = {}): boolean =>
    createLazyPolicy({ ...options, ...rules }).prepare?.(job, () => circumstances) === undefined;
  const job = jobOf("low");
  assert.ok(isPrepared(job));
  assert.ok(!isPrepared(jobOf("high")));
  assert.ok(!isPrepared(jobOf("low", [PATH])));
  assert.ok(!isPrepared(job, undefined, { rules: [{ decision: "deny", tool: "t" }] }));
  assert.ok(!isPrepared(job, { ceilings: [] }));
  assert.ok(!isPrepared(job, { rules: [] }));
  assert.ok(!isPrepared(job, { untrusted: ["a page"] }));
  // The engine prepares such a call before its facts are known, and not again.
  assert.ok(!isPrepared(jobOf("low", [], { ...TOOL, facts: () => [] })));
  assert.ok(!isPrepared(jobOf("low", [], { ...TOOL, isUntrusted: true })));
  assert.ok(!isPrepared(jobOf("low", [], { ...TOOL, needs: [ProtectedPaths] })));
});

test("calls that load the tables at the same time share one policy", async () => {
  const readsWith = async (calls: number): Promise<number> => {
    let reads = 0;
    const counted = {
      home: options.home,
      get workspace(): readonly string[] {
        reads += 1;
        return options.workspace;
      },
    };
    const lazy = createLazyPolicy(counted);
    const prepare = async (): Promise<void> => lazy.prepare?.(jobOf("low", [PATH]), () => undefined);
    await Promise.all(Array.from({ length: calls }, prepare));
    return reads;
  };
  assert.ok((await readsWith(1)) > 0);
  assert.equal(await readsWith(3), await readsWith(1));
});

test("a call whose rules were not loaded is denied, and hidden things stay hidden", () => {
  const lazy = createLazyPolicy({ ...options, rules: [{ decision: "deny", tool: "t" }] });
  assert.equal(lazy.judge(jobOf("low")).kind, "deny");
  assert.equal(lazy.hides?.("/w/a", TOOL), true);
  assert.equal(lazy.protects?.("/w/a", TOOL), true);
  assert.equal(lazy.hidesHost?.("example.com", TOOL), true);
  assert.throws(() => createLazyPolicy({ ...options, mode: "atuo" as never }), { code: "INVALID_INPUT" });
});

test("a rule of the host denies a call without facts", async () => {
  const lazy = createLazyPolicy({ ...options, rules: [{ decision: "deny", tool: "t" }] });
  await lazy.prepare?.(jobOf("low"), () => undefined);
  assert.equal(lazy.judge(jobOf("low")).rule, "host.rules[0]");
});
