// Hooks run at points of the pipeline: before and after a call, when a tool fails, at the start and end of a session, on changed files.
import assert from "node:assert/strict";
import { createEngine, defineTool, object, string, type Hook } from "toolwright";

const sent: string[] = [];
const mail = defineTool({
  name: "send_mail",
  description: "Sends a mail.",
  input: object({ to: string(), text: string() }),
  risk: "low",
  run({ to, text }) {
    sent.push(`${to}: ${text}`);
    return "sent";
  },
});

// Before a call, a hook can deny it, require approval, or replace the input, which is then validated and judged.
const guard: Hook = {
  name: "guard",
  on: ["before_tool"],
  matches: ({ call }) => call?.name === "send_mail",
  run({ call }) {
    const { to = "", text = "" } = call?.input ?? {};
    if (to === "everyone@example.com") return { kind: "refuse", reason: "never to everyone" };
    if (to === "boss@example.com") return { kind: "ask", reason: "she gets too many" };
    const isSigned = typeof text !== "string" || text.endsWith("-- Bot");
    if (!isSigned) return { kind: "rewrite", input: { to, text: `${text} -- Bot` } };
    return undefined;
  },
};
// After a call, a hook can add a note for the model, or withhold the answer.
const hint: Hook = {
  name: "hint",
  on: ["after_tool"],
  run: () => ({ kind: "note", text: "mails leave at noon" }),
};
// A hook that throws, hangs or returns an invalid value denies the call; `onFailure: "pass"` lets it run.
const broken: Hook = {
  name: "broken",
  on: ["before_tool"],
  matches: ({ call }) => call?.input["to"] === "nobody@example.com",
  timeoutMs: 1000,
  run() {
    throw new Error("the list of addresses is gone");
  },
};
const ends: string[] = [];
const session: Hook = {
  name: "session",
  on: ["session_start", "session_end"],
  run: ({ point }) => void ends.push(point),
};

const engine = createEngine({ tools: [mail], hooks: [guard, hint, broken, session], mode: "yolo" });
const send = (to: string) =>
  engine.run({ id: to, name: "send_mail", input: { to, text: "Hello" } }, { session: "s1" });

const ann = await send("ann@example.com");
console.log(ann.content);
assert.deepEqual(sent, ["ann@example.com: Hello -- Bot"]);
assert.deepEqual(ann.content.at(-1), { type: "text", text: "[hook hint] mails leave at noon" });

const everyone = await send("everyone@example.com");
assert.ok(!everyone.ok);
assert.equal(everyone.error.message, 'hook "guard" refused it: never to everyone');

// Whatever the mode: a hook that asks has someone asked, and here there is nobody.
const boss = await send("boss@example.com");
assert.ok(!boss.ok);
console.log(boss.error.message);
assert.match(
  boss.error.message,
  /hook "guard" demands approval: she gets too many; not approved: there is no approver/,
);

const nobody = await send("nobody@example.com");
assert.ok(!nobody.ok);
assert.equal(nobody.error.message, 'hook "broken" failed: the list of addresses is gone');
assert.equal(sent.length, 1);

await engine.close();
assert.deepEqual(ends, ["session_start", "session_end"]);
