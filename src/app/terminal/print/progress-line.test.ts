import assert from "node:assert/strict";
import { mock, test, type TestContext } from "node:test";
import type { AgentEventBody } from "../../../agent/runtime/agent-events.ts";
import { originOf, type EngineEvent } from "../../../core/events.ts";
import { createProgressLine } from "./progress-line.ts";

const started = (callId: string, name = "shell"): EngineEvent => ({
  ...originOf(),
  type: "call.started",
  callId,
  name,
  attempt: 1,
});
const ofAgent = (body: AgentEventBody) => ({ session: "s", agentId: "s", ...body });

/** A progress line whose clock is moved by `passes`; `drawn` has its lines. */
function drawing(t: TestContext): ReturnType<typeof createProgressLine> & {
  readonly drawn: string[];
  readonly passes: (ms: number) => void;
} {
  let now = 1000;
  mock.timers.enable({ apis: ["setInterval"] });
  t.mock.method(performance, "now", () => now);
  t.after(() => mock.timers.reset());
  const drawn: string[] = [];
  return {
    ...createProgressLine({ status: (line) => void drawn.push(line) }),
    drawn,
    passes(ms) {
      now += ms;
      mock.timers.tick(ms);
    },
  };
}

test("nothing is drawn before a moment has passed; then the time and the last line of output, until the answer", (t) => {
  const { hear, passes, drawn, close } = drawing(t);
  hear(started("1"));
  hear({
    ...originOf(),
    type: "call.progressed",
    callId: "1",
    progress: { stream: "stdout", text: "\u{1b}[31mone\ntwo\n" },
  });
  passes(200);
  assert.deepEqual(drawn, []);
  passes(300);
  assert.match(drawn.at(-1) ?? "", /^. shell 0\.5 s {2}two$/);
  close();
  assert.equal(drawn.at(-1), "");
  const { length } = drawn;
  passes(1000);
  assert.equal(drawn.length, length, "and nothing is drawn after that");
});

test("several calls are counted, and the line stays until the last one is answered", (t) => {
  const { hear, passes, drawn, close } = drawing(t);
  hear(started("1"));
  hear(started("2", "grep"));
  passes(500);
  assert.match(drawn.at(-1) ?? "", /grep 0\.5 s \(\+1\)/);
  const answered = { type: "call.answered", callId: "2" } as EngineEvent;
  hear(answered);
  passes(500);
  assert.match(drawn.at(-1) ?? "", /shell 1\.0 s {2}$/);
  close();
});

test("the model thinks until its first text", (t) => {
  const { hear, passes, drawn } = drawing(t);
  hear(ofAgent({ type: "turn.started", turn: 1, traceId: "" }));
  passes(1500);
  assert.match(drawn.at(-1) ?? "", /thinking 1\.5 s/);
  hear(ofAgent({ type: "model.text", text: "Hi" }));
  assert.equal(drawn.at(-1), "");
});

test("a question takes the line away, also while another call is running", (t) => {
  const { hear, passes, drawn, close } = drawing(t);
  hear(started("1"));
  hear({ ...originOf(), type: "approval.asked", callId: "2", hash: "" });
  passes(5000);
  assert.deepEqual(drawn, [""]);
  hear({ ...originOf(), type: "approval.answered", callId: "2", approved: false });
  passes(100);
  assert.match(drawn.at(-1) ?? "", /shell 5\.1 s/);
  close();
});
