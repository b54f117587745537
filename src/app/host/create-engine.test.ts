import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { add, call, codeOf } from "../../../test/support/engines/engine.ts";
import type { Approval } from "../../core/approval.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { fileTools } from "../../tools/files/family.ts";
import { createEngine } from "./create-engine.ts";

const hook = { name: "guard", run: () => ({ kind: "refuse", reason: "no" }) };

const WRONG: Readonly<Record<string, readonly [object, RegExp]>> = {
  "a deadline in text": [{ timeoutMs: "5000" }, /^createEngine: timeoutMs: expected a number .* got string$/],
  "a number of attempts that is no number": [{ retry: { attempts: NaN } }, /attempts: .* got NaN$/],
  "a secret that is not in a list": [
    { secrets: "swordfish99" },
    /secrets: expected a list of texts, got string$/,
  ],
  "a folder that is not in a list": [{ workspace: "/tmp" }, /workspace: expected a list of texts/],
  "a function as the approver": [
    { approver: () => true },
    /approver: expected an object with a function ask/,
  ],
  "a hook at an unknown point": [
    { hooks: [{ ...hook, on: ["befor_tool"] }] },
    /"guard": unknown point "befor_tool"/,
  ],
  "a hook with its point not in a list": [{ hooks: [{ ...hook, on: "before_tool" }] }, /"guard".*a list/],
  "a store as the journal": [
    { journal: { journal: {}, collections: {} } },
    /journal: expected an object with a function receive/,
  ],
  "a tool that is not there yet": [{ tools: [add, undefined] }, /^createEngine: tools: item 1 is undefined$/],
  "a hook that is not there yet": [{ hooks: [null] }, /^createEngine: hooks: item 0 is null$/],
  "an unknown option": [{ timeout: 5 }, /^createEngine: unknown option "timeout"$/],
  "tools under another name": [{ tool: [] }, /^createEngine: unknown option "tool"$/],
  "an unknown option of retry": [{ retry: { attemps: 3 } }, /retry: unknown option "attemps"/],
  "text in place of options": ["auto" as never, /^createEngine: expected options, got string$/],
  "an unknown form of text": [{ modelText: "xml" }, /modelText: expected one of plain, envelope/],
  "an unknown decision": [{ rules: [{ tool: "add", decision: "denny" }] }, /rules\[0\]\.decision: expected/],
  "an unknown condition": [{ rules: [{ comand: ["git"], decision: "allow" }] }, /unknown key "comand"/],
};

for (const [what, [options, message]] of Object.entries(WRONG)) {
  test(`${what} is refused when the engine is created`, () => {
    assert.throws(() => createEngine(options), { code: "INVALID_INPUT", message });
  });
}

const approves = async (): Promise<Approval> => ({ approved: true, scope: "once" });

test("an option that a class or a prototype has decides as one of the object itself does", async () => {
  const tools = [{ ...add, risk: "high" as const }];
  class Options {
    readonly tools = tools;
    readonly approver = { ask: approves };
    get mode(): "plan" {
      return "plan";
    }
  }
  const inherited = Object.assign(Object.create({ mode: "plan" }) as object, { tools });
  for (const options of [new Options(), inherited, Object.create(new Options()) as object])
    assert.equal(codeOf(await createEngine(options).run(call("add", { a: 1, b: 2 }))), "DENIED");
  class Wrong extends Options {
    get timeoutMs(): string {
      return "5000";
    }
  }
  assert.throws(() => createEngine(new Wrong() as object), /timeoutMs: expected a number/);
});

test("an approver may be a function that has the method", async () => {
  const approver = Object.assign(() => 1, { ask: approves });
  const engine = createEngine({ tools: [{ ...add, risk: "high" }], approver });
  assert.equal(codeOf(await engine.run(call("add", { a: 1, b: 2 }))), "ok");
});

test("a call under a ceiling with an unknown decision does not run", async () => {
  const ceilings = [{ rules: [{ tool: "add", decision: "denny" }] }] as never;
  const result = await createEngine({ tools: [add] }).run(call("add", { a: 1, b: 2 }), { ceilings });
  assert.equal(codeOf(result), "INVALID_INPUT");
});

test("a workspace may be named by a link or a relative path", async (t) => {
  const folder = temporaryFolder(t);
  const [real, link] = [join(folder, "real"), join(folder, "link")];
  mkdirSync(real);
  symlinkSync(real, link);
  writeFileSync(join(real, "a.txt"), "hello");
  for (const workspace of [link, relative("", link)]) {
    const engine = createEngine({ tools: fileTools({ root: link }), workspace: [workspace] });
    assert.equal(codeOf(await engine.run(call("read_file", { path: "a.txt" }))), "ok");
  }
});
