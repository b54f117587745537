import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { originOf, type Event } from "../../../core/events.ts";
import { createProgressLine } from "./progress-line.ts";

function fakeTerminal(columns: number): {
  readonly terminal: NodeJS.WriteStream;
  readonly written: string[];
} {
  const written: string[] = [];
  const terminal = { columns, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  return { terminal, written };
}

const started: Event = { ...originOf(), type: "call.started", callId: "1", name: "shell", attempt: 1 };

test("nothing is drawn before a moment has passed, and the line is cut to the terminal and cleared at the end", (t) => {
  mock.timers.enable({ apis: ["setInterval"] });
  const now = t.mock.method(performance, "now", () => 1000);
  t.after(() => mock.timers.reset());
  const { terminal, written } = fakeTerminal(30);
  const line = createProgressLine(terminal);
  const { hear } = line;
  hear(started);
  hear({
    ...originOf(),
    type: "call.progressed",
    callId: "1",
    progress: { stream: "stdout", text: `\u{1b}[31mone\n${"x".repeat(99)}\n` },
  });
  mock.timers.tick(200);
  assert.equal(written.length, 0);
  now.mock.mockImplementation(() => 1500);
  mock.timers.tick(100);
  const [drawn = ""] = written.map((text) => text.replace("\r\u{1b}[2K", ""));
  assert.match(drawn, /^. shell 0\.5 s {2}x+$/);
  assert.equal(drawn.length, 29);
  line.close();
  assert.equal(written.at(-1), "\r\u{1b}[2K");
  mock.timers.tick(1000);
  assert.equal(written.length, 2, "and nothing is drawn after that");
});

test("a question takes the line away", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  const { terminal, written } = fakeTerminal(80);
  const { hear } = createProgressLine(terminal);
  hear(started);
  hear({ ...originOf(), type: "approval.asked", callId: "1", hash: "" });
  mock.timers.tick(5000);
  mock.timers.reset();
  assert.deepEqual(written, []);
});
