// One suite over every tool that is shipped: what a model may expect of each of them.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { NO_SKILLS } from "../../src/core/skills.ts";
import { PROVIDER_FORMATS } from "../../src/formats/tool-names.ts";
import { agentTools } from "../../src/tools/agents/family.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { sessionTools } from "../../src/tools/session/family.ts";
import { call, codeOf, textOf } from "../support/engines/engine.ts";
import { GOOD, open } from "../support/examples/every-tool.ts";

const tools = [
  ...builtInTools({ root: "/", environment: {} }),
  ...sessionTools({ skills: NO_SKILLS, dumpsFolder: "/" }),
  ...agentTools(),
];

test("the suite covers every built-in tool", () => {
  assert.deepEqual(Object.keys(GOOD).sort(), tools.map(({ name }) => name).sort());
});

/** For calls that are refused before they run. */
const unused = open({ after });

for (const { name, aliases = [], parameterAliases = {}, input: schema } of tools) {
  test(`${name}: accepts a valid call under each of its names`, async (context) => {
    for (const alias of [name, ...aliases]) {
      const { engine } = open(context);
      const under = typeof alias === "string" ? alias : alias.name;
      const result = await engine.run(call(under, await GOOD[name]?.(engine)));
      assert.equal(codeOf(result), "ok", `${under}: ${textOf(result)}`);
    }
  });

  test(`${name}: accepts every parameter under each of its names, but not under two at once`, async (context) => {
    const own = aliases.flatMap((alias) =>
      typeof alias === "string"
        ? []
        : Object.entries(alias.parameters ?? {}).map((pair) => [alias.name, ...pair]),
    );
    const shared = Object.entries(parameterAliases).map((pair) => [name, ...pair]);
    for (const [under = "", alias = "", target = ""] of [...own, ...shared]) {
      const { engine } = open(context);
      const good = (await GOOD[name]?.(engine)) ?? {};
      if (!Object.hasOwn(good, target)) continue;
      const { [target]: value = null, ...rest } = good;
      const both = await engine.run(call(under, { ...good, [alias]: value }));
      assert.equal(codeOf(both), "INVALID_INPUT", `${alias} and ${target}`);
      const result = await engine.run(call(under, { ...rest, [alias]: value }));
      assert.equal(codeOf(result), "ok", `${under} ${alias}: ${textOf(result)}`);
    }
  });

  test(`${name}: refuses invalid input, and says where`, async () => {
    const { engine } = unused;
    const good = (await GOOD[name]?.(engine)) ?? {};
    const unknown = await engine.run(call(name, { ...good, no_such_parameter: 1 }));
    assert.match(textOf(unknown), /no_such_parameter/);
    assert.equal(codeOf(unknown), "INVALID_INPUT");
    for (const required of (schema["required"] ?? []) as readonly string[]) {
      const { [required]: _, ...rest } = good;
      assert.match(textOf(await engine.run(call(name, rest))), new RegExp(required));
    }
    for (const parameter of Object.keys((schema["properties"] ?? {}) as object)) {
      const result = await engine.run(call(name, { ...good, [parameter]: { wrong: ["type"] } }));
      assert.equal(codeOf(result), "INVALID_INPUT", `${parameter}: ${textOf(result)}`);
    }
  });

  test(`${name}: a call that is cancelled before it starts does nothing`, async () => {
    const { engine } = unused;
    const input = await GOOD[name]?.(engine);
    assert.equal(codeOf(await engine.run(call(name, input), { signal: AbortSignal.abort() })), "CANCELLED");
  });
}

test("every spec fits every provider, with all parameters and descriptions", (context) => {
  const place = open(context);
  for (const format of PROVIDER_FORMATS) {
    const specs = place.engine.specs(format);
    assert.equal(specs.length, place.tools.length);
    for (const [index, { name, input }] of place.tools.entries()) {
      const shown = JSON.stringify(specs[index]);
      assert.ok(shown.includes(JSON.stringify(name)), `${format}: ${name}`);
      for (const parameter of Object.keys((input["properties"] ?? {}) as object)) {
        assert.ok(shown.includes(JSON.stringify(parameter)), `${format}: ${name}: ${parameter}`);
      }
    }
  }
});

for (const [name, input, mostBytes] of [
  ["glob", { pattern: "**/f*" }, 60 * 1024],
  ["ls", { path: "many" }, 60 * 1024],
  ["grep", { pattern: "needle" }, 60 * 1024],
  ["grep", { pattern: "long" }, 60 * 1024],
  ["read_file", { path: "long" }, 11 * 1024],
  ["read_many_files", { paths: ["long", "many/*"] }, 52 * 1024],
  ["shell", { command: "cat long; cat long >&2" }, 11 * 1024],
  [
    "batch",
    { invocations: Array.from({ length: 8 }, () => ({ tool: "read_file", arguments: { path: "long" } })) },
    52 * 1024,
  ],
] as const) {
  test(`${name} ${JSON.stringify(input).slice(0, 40)}: a long answer keeps its cap, says so, and so does its data`, async (context) => {
    const { engine } = open(context, "large");
    const result = await engine.run(call(name, input));
    assert.equal(codeOf(result), "ok", textOf(result));
    assert.ok(Buffer.byteLength(textOf(result)) <= mostBytes, `${Buffer.byteLength(textOf(result))} bytes`);
    assert.match(textOf(result), /\[truncated/);
    assert.ok(result.ok && JSON.stringify(result.data ?? "").length <= mostBytes * 2);
  });
}
