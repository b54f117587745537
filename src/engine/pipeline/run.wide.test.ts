import * as fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { add, call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import type { JsonObject } from "../../core/json.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { integer, object, optional, string } from "../../schema/define/schema.ts";
import { createEngine } from "../engine.ts";
import { runs } from "../../../test/support/property-runs.ts";

const greet = defineTool({
  name: "greet",
  description: "Greets.",
  aliases: ["hello", { name: "hi", parameters: { who: "name" } }],
  parameterAliases: { person: "name" },
  input: object({ name: string("Whom"), times: optional(integer("How often"), 1) }),
  risk: "low",
  run: ({ name, times }) => Array.from({ length: times }, () => `Hello ${name}`).join(" "),
});

test("a valid call gets content for the model and data for programs", async () => {
  const engine = createEngine({ tools: [add] });
  const result = await engine.run({ id: "1", name: "add", input: { a: 2, b: 3 } });
  assert.equal(result.ok, true);
  assert.deepEqual(result.ok && result.data, { sum: 5 });
  assert.equal(textOf(result), '{"sum":5}');
  assert.equal(result.callId, "1");
  assert.equal(result.meta.attempts, 1);
  assert.equal(result.meta.place, "host");
});

test("an unknown tool is answered with near names", async () => {
  const result = await createEngine({ tools: [add, greet] }).run(call("gret"));
  assert.equal(codeOf(result), "TOOL_NOT_FOUND");
  assert.match(textOf(result), /did you mean greet/);
});

test("an unreadable call is answered too, and its tool does not run", async () => {
  const result = await createEngine({ tools: [add] }).run({
    ...call("add"),
    unreadable: "the JSON was cut off",
  });
  assert.equal(codeOf(result), "UNREADABLE_CALL");
  assert.match(textOf(result), /cut off/);
});

test("a repaired call is answered, and the answer says what was repaired", async () => {
  const engine = createEngine({ tools: [add] });
  const result = await engine.run({ ...call("add", { a: 1, b: 2 }), repaired: "unescaped quotes" });
  assert.equal(result.meta.repaired, true);
  assert.match(textOf(result), /\[the call was damaged and was repaired: unescaped quotes\]/);
  const failed = await engine.run({ ...call("add", { a: 1 }), repaired: "unescaped quotes" });
  assert.match(textOf(failed), /was repaired: unescaped quotes/);
});

test("defaults are filled in before the tool sees the input", async () => {
  const result = await createEngine({ tools: [greet] }).run(call("greet", { name: "Ann" }));
  assert.equal(textOf(result), "Hello Ann");
});

test("text for a number is coerced, and the answer says so", async () => {
  const result = await createEngine({ tools: [greet] }).run(call("greet", { name: "Ann", times: "2" }));
  assert.equal(textOf(result), "Hello Ann Hello Ann");
  assert.deepEqual(result.meta.coerced, ["/times"]);
});

test("an input that is JSON text is parsed", async () => {
  const result = await createEngine({ tools: [add] }).run(call("add", '{"a": 1, "b": 2}'));
  assert.equal(textOf(result), '{"sum":3}');
});

test("every problem of an input is in one error, with path, expected and got", async () => {
  const result = await createEngine({ tools: [add] }).run(call("add", { a: "x", c: 1 }));
  assert.equal(codeOf(result), "INVALID_INPUT");
  const problems = result.ok ? [] : (result.error.details?.["problems"] as { path: string; kind: string }[]);
  assert.deepEqual(problems.map(({ path, kind }) => `${kind} ${path}`).sort(), [
    "missing /b",
    "type /a",
    "unknown /c",
  ]);
});

for (const name of ["greet", "hello", "hi"]) {
  test(`"${name}" answers, under its own name, also to a parameter alias`, async () => {
    const result = await createEngine({ tools: [greet] }).run(call(name, { person: "Bo" }));
    assert.equal(textOf(result), "Hello Bo");
    assert.equal(result.name, name);
  });
}

test("an alias has parameter names of its own", async () => {
  const engine = createEngine({ tools: [greet] });
  assert.equal(textOf(await engine.run(call("hi", { who: "Bo" }))), "Hello Bo");
  assert.equal(codeOf(await engine.run(call("greet", { who: "Bo" }))), "INVALID_INPUT");
});

test("a parameter under two of its names is an error, not a choice", async () => {
  const result = await createEngine({ tools: [greet] }).run(call("greet", { person: "a", name: "b" }));
  assert.equal(codeOf(result), "INVALID_INPUT");
});

test("a tool's own check is INVALID_INPUT with its problems", async () => {
  const even = defineTool({
    name: "even",
    description: "",
    input: object({ n: integer() }),
    risk: "low",
    check: async ({ n }) =>
      n % 2 === 0 ? [] : [{ kind: "value", path: "/n", expected: "an even number", got: String(n) }],
    run: ({ n }) => n,
  });
  const engine = createEngine({ tools: [even] });
  assert.equal(codeOf(await engine.run(call("even", { n: 2 }))), "ok");
  const odd = await engine.run(call("even", { n: 3 }));
  assert.equal(codeOf(odd), "INVALID_INPUT");
  assert.match(textOf(odd), /even number/);
});

test("an input that changes while the approver decides is not what runs", async () => {
  const ran: unknown[] = [];
  const write = defineTool({
    name: "write",
    description: "",
    input: object({ to: string() }),
    run: ({ to }) => void ran.push(to),
  });
  const input = { to: "judged" };
  const engine = createEngine({
    tools: [write],
    approver: {
      async ask(request) {
        input.to = "forged by the caller";
        (request.input as { to: string }).to = "forged by the approver";
        return { approved: true, scope: "once" };
      },
    },
  });
  await engine.run(call("write", input));
  assert.deepEqual(ran, ["judged"]);
});

test("prototype keys in an input are plain data, but for __proto__, which is refused", async () => {
  const echo = defineTool({
    name: "echo",
    description: "",
    input: { type: "object" },
    risk: "low",
    run: (input) => ({ got: input }),
  });
  const text = '{"constructor":1,"toString":"x"}';
  const engine = createEngine({ tools: [echo] });
  assert.equal(textOf(await engine.run(call("echo", JSON.parse(text)))), `{"got":${text}}`);
  assert.equal(codeOf(await engine.run(call("echo", JSON.parse('{"__proto__":{}}')))), "INVALID_INPUT");
  assert.equal(({} as { admin?: boolean }).admin, undefined);
});

test("a mask in the input of a writing tool is refused", async () => {
  const write = defineTool({
    name: "write",
    description: "",
    input: { type: "object" },
    risk: "low",
    run: () => "written",
  });
  const engine = createEngine({ tools: [write] });
  for (const input of [{ text: "key = ⟦masked⟧" }, { text: [{ "⟦masked⟧": 1 }] }])
    assert.equal(codeOf(await engine.run(call("write", input))), "INVALID_INPUT");
});

test("run never rejects, whatever is thrown, returned or asked", async () => {
  const thrower = (error: unknown) =>
    defineTool({
      name: "t",
      description: "",
      risk: "low",
      run: () => {
        throw error;
      },
    });
  await fc.assert(
    fc.asyncProperty(fc.anything(), fc.anything(), async (thrown, input) => {
      const engine = createEngine({ tools: [thrower(thrown)] });
      const result = await engine.run(call("t", input));
      assert.equal(result.ok, false);
      const returned = createEngine({
        tools: [defineTool({ name: "t", description: "", risk: "low", run: () => thrown })],
      });
      assert.equal(typeof (await returned.run(call("t"))).ok, "boolean");
      assert.equal((await engine.run(thrown as never)).ok, false);
    }),
    { numRuns: runs(60) },
  );
});

test("a stage that throws, of the tool or of the host program, becomes an answer", async () => {
  const bad = (): never => {
    throw new Error("broken");
  };
  const base = { name: "t", description: "", risk: "low", run: () => "x" } as const;
  for (const part of [{ riskOf: bad }, { facts: bad }, { check: bad }, { limitsOf: bad }]) {
    assert.equal(
      codeOf(await createEngine({ tools: [defineTool({ ...base, ...part })] }).run(call("t"))),
      "TOOL_FAILED",
    );
  }
  const policy = { judge: bad };
  assert.equal(
    codeOf(await createEngine({ tools: [defineTool(base)], policy }).run(call("t"))),
    "TOOL_FAILED",
  );
});

test("a call or a mask that throws is answered, and the engine can be closed", async () => {
  const engine = createEngine({ tools: [add] });
  const broken = (): never => {
    throw new Error("broken");
  };
  for (const bad of [
    Object.defineProperty({ id: "1", input: {} }, "name", { get: broken }),
    Object.defineProperty({ name: "add", input: {} }, "id", { get: broken }),
    null,
  ]) {
    const result = await engine.run(bad as never);
    assert.equal(result.ok, false);
    assert.deepEqual(await engine.runAll([bad as never]).then((all) => all.map(({ ok }) => ok)), [false]);
  }
  Object.assign(engine.masker, { text: broken });
  const result = await engine.run(call("add", { a: "x", b: 1 }));
  assert.equal(codeOf(result), "TOOL_FAILED");
  assert.match(textOf(result), /the answer could not be made: broken/);
  await engine.close();
});

test("a removed tool finishes its call; later calls fail", async () => {
  let finish = (): void => undefined;
  const slow = defineTool({
    name: "slow",
    description: "",
    risk: "low",
    run: () => new Promise((resolve) => (finish = () => resolve("done"))),
  });
  const engine = createEngine({ tools: [slow] });
  const running = engine.run(call("slow"));
  assert.equal(engine.remove("slow"), true);
  assert.equal(engine.remove("slow"), false);
  assert.equal(codeOf(await engine.run(call("slow"))), "TOOL_NOT_FOUND");
  finish();
  assert.equal(textOf(await running), "done");
});

test("a tool calls another through the whole pipeline", async () => {
  const outer = defineTool({
    name: "outer",
    description: "",
    risk: "low",
    async run(_, context) {
      const inner = await context.run("add", { a: 1, b: 1 });
      const refused = await context.run("danger", {});
      return [inner.callId, textOf(inner), codeOf(refused)].join(" ");
    },
  });
  const danger = defineTool({ name: "danger", description: "", risk: "high", run: () => assert.fail("ran") });
  const engine = createEngine({ tools: [outer, add, danger] });
  const result = await engine.run({ id: "o", name: "outer", input: {} });
  assert.equal(textOf(result), 'o.1 {"sum":2} DENIED');
});

test("explain returns what policy would decide, and runs nothing", async () => {
  const danger = defineTool({ name: "danger", description: "", risk: "high", run: () => assert.fail("ran") });
  const engine = createEngine({ tools: [danger] });
  const { verdict, risk, fault } = await engine.explain(call("danger"));
  assert.deepEqual([verdict?.kind, risk, fault], ["ask", "high", undefined]);
  assert.equal((await engine.explain(call("nope"))).fault?.code, "TOOL_NOT_FOUND");
});

test("with modelText envelope the model gets envelopes, failures included", async () => {
  const engine = createEngine({ tools: [add], modelText: "envelope" });
  assert.deepEqual(JSON.parse(textOf(await engine.run(call("add", { a: 1, b: 1 })))), {
    tool_success: true,
    result: { sum: 2 },
  });
  const failed = JSON.parse(textOf(await engine.run(call("nope")))) as JsonObject;
  assert.deepEqual([failed["tool_success"], failed["error_code"]], [false, "TOOL_NOT_FOUND"]);
});

test("a closed engine answers running and later calls, and executes none of them", async () => {
  const stuck = defineTool({
    name: "stuck",
    description: "",
    risk: "low",
    run: () => new Promise(() => undefined),
  });
  const engine = createEngine({ tools: [stuck] });
  const running = engine.run(call("stuck"));
  await engine.close();
  const [given, refused] = [await running, await engine.run(call("stuck"))];
  for (const result of [given, refused]) assert.equal(codeOf(result), "CANCELLED");
  assert.match(textOf(given), /^Error: the engine was closed\nit may have had effects/);
  assert.equal(textOf(refused), "Error: the engine was closed");
});
