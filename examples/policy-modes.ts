// Four approval modes; `explain` returns what policy would decide about a call, without running it.
import assert from "node:assert/strict";
import { createEngine, defineTool, type Mode, type Risk } from "toolwright";

let runs = 0;
const define = (risk: Risk) =>
  defineTool({ name: risk, description: `A tool of ${risk} risk.`, risk, run: () => (runs += 1) });
const tools = [define("low"), define("medium"), define("high")];

const verdicts: Partial<Record<Mode, string[]>> = {};
for (const mode of ["yolo", "auto", "ask", "plan"] as const) {
  const engine = createEngine({ tools, mode });
  const explained = await Promise.all(tools.map(({ name }) => engine.explain({ id: name, name, input: {} })));
  verdicts[mode] = explained.map(({ verdict }) => verdict?.kind ?? "none");
  console.log(
    mode,
    explained.map(({ verdict }) => verdict?.reason),
  );
  await engine.close();
}
assert.deepEqual(verdicts, {
  yolo: ["allow", "allow", "allow"],
  auto: ["allow", "ask", "ask"],
  ask: ["ask", "ask", "ask"],
  plan: ["allow", "deny", "deny"],
});
assert.equal(runs, 0);

// Your own policy replaces the built-in one. It is pure: the same job gives the same verdict.
const engine = createEngine({
  tools,
  policy: {
    judge: ({ tool }) =>
      tool.name === "low"
        ? { kind: "allow", reason: "harmless", rule: "mine.low" }
        : { kind: "deny", reason: "not on a Friday", rule: "mine.friday" },
  },
});
const denied = await engine.run({ id: "1", name: "medium", input: {} });
assert.ok(!denied.ok);
console.log(denied.error);
assert.equal(denied.error.message, "not on a Friday");
assert.ok((await engine.run({ id: "2", name: "low", input: {} })).ok);
await engine.close();
