import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openTerminal } from "../../../support/programs/terminal.ts";
import { createReplPlace } from "../../../flows/support/repl.ts";
import { scrolled, shell, sitDown, type Habits } from "../habits.ts";

const LATE = { delayMs: 60_000, text: "late" };

/** What people do while the agent works. */
export async function work(t: TestContext, habits: Habits): Promise<void> {
  const { try: habit } = habits;
  const seat = await sitDown(t, [LATE, { text: "Second.", repeat: true }]);
  await seat.send("first");
  await seat.waitFor(/working|waiting for the model|thinking/);
  await habit("Shift+Tab changes the mode while it works", async () => {
    await seat.press("BTab");
    await seat.waitFor("mode edits");
  });
  await habit("/mode while it works", async () => {
    await seat.send("/mode ask");
    await seat.waitFor("mode ask");
  });
  await habit("/cost while it works", async () => {
    await seat.send("/cost");
    await seat.waitFor(/> ?\/cost\n[^]*tokens/);
  });
  await habit("a queued message is shown", async () => {
    await seat.send("queued one");
    await seat.waitFor(/(?:queued|waits): queued one/);
  });
  await habit("a queued message can be edited", async () => {
    await seat.press("Up");
    await seat.waitFor(/> queued one/);
    assert.doesNotMatch(await seat.screen(), /(?:queued|waits): queued one/);
    await seat.type(" more");
    await seat.press("Enter");
    await seat.waitFor(/(?:queued|waits): queued one more/);
  });
  await habit("resize while the answer is awaited keeps one screen", async () => {
    await seat.resize(60, 20);
    await seat.resize(90, 30);
    const screen = await seat.waitFor(/· mode ask/);
    assert.equal(screen.split("· mode ask").length, 2, screen);
  });
  await habit("Esc stops, and gives the queue back to the prompt", async () => {
    await seat.press("Escape");
    await seat.waitFor(/cancelled/);
    await seat.waitFor(/> queued one more/);
  });
  await habit("Esc stops the stream", async () => {
    await seat.press("C-u");
    await seat.send("second");
    await seat.waitFor("Second.");
  });
  await shown(t, habits);
  await limits(t, habits);
}

/** What the screen shows of the work. */
async function shown(t: TestContext, { try: habit }: Habits): Promise<void> {
  const todos = [
    { content: "Read the code", status: "completed" },
    { content: "Write the test", status: "in_progress" },
    { content: "Run it", status: "pending" },
  ];
  const seat = await sitDown(
    t,
    [
      { reasoning: "I think about it.", calls: [{ name: "todo_write", input: { todos } }] },
      {
        text: "```ts\nconst a: number = 1;\n```\n\n| name | size |\n|---|--:|\n| a.ts | 1 |\n| b.ts | 1000 |",
      },
      { calls: [shell("seq 1 500")] },
      { text: "Counted." },
      { calls: [shell("node --test")] },
      { text: "Failed." },
      { calls: [shell("touch resized.txt")] },
      { text: "End.", repeat: true },
    ],
    { flags: ["--mode", "yolo"], environment: { COLORTERM: "truecolor" } },
  );
  seat.place.write("a.test.js", 'require("node:test")("adds", () => require("node:assert").equal(1, 2));\n');
  await seat.send("go");
  await habit("todos, and Ctrl-T", async () => {
    await seat.waitFor(/1 of 3 done[^]*Run it/);
    await seat.press("C-t");
    await seat.waitUntilGone("Run it");
  });
  await habit("thinking is shown", async () => {
    await seat.send("/reasoning on");
    await scrolled(seat, /I think about it\.|reasoning/);
  });
  await habit("code has syntax colours", async () => {
    await seat.waitFor("b.ts");
    const row = (await seat.colours()).split("\n").find((one) => one.includes("const")) ?? "";
    assert.ok((row.match(/\u{1b}\[/gu) ?? []).length >= 3, JSON.stringify(row));
  });
  await habit("tables are aligned as they say", async () => {
    assert.match(await seat.screen(), /│ a\.ts │ {4}1 │\n[^\n]*\n│ b\.ts │ 1000 │/);
  });
  await seat.send("count");
  await seat.waitFor("Counted.");
  await habit("Ctrl-O shows the whole of a long answer", async () => {
    await seat.press("C-o");
    const all = await scrolled(seat, /^ *500$/m);
    for (const row of [1, 77, 250, 499]) assert.match(all, new RegExp(`^ *${row}$`, "m"));
  });
  await seat.send("test");
  await habit("the line of a failed node --test says why", async () => {
    const all = await scrolled(seat, /✗ shell[^\n]*node --test[^\n]*\n[^]*Failed\./);
    const [row = ""] = /✗ shell[^\n]*node --test[^]*?\n\n/.exec(all) ?? [];
    assert.doesNotMatch(row, /exit code 1: *\}/);
    assert.match(row, /AssertionError.*1 == 2/);
  });
}

/** Modes, limits, other agents and terminals. */
async function limits(t: TestContext, { try: habit }: Habits): Promise<void> {
  await habit("plan mode denies changes, and the model knows it", async () => {
    const seat = await sitDown(t, [{ when: "plan", calls: [shell("touch x")] }, { text: "Planned." }], {
      flags: ["--mode", "plan"],
    });
    await seat.send("plan it");
    await seat.waitFor("Planned.");
    assert.ok(!existsSync(join(seat.place.folder, "x")));
  });
  await habit("a loop is noticed", async () => {
    const seat = await sitDown(t, [{ calls: [{ name: "read_file", input: { path: "a" } }], repeat: true }]);
    await seat.send("go");
    await seat.waitFor(/repeat|same call|loop/i);
  });
  await habit("the share of the budget is that of the task", async () => {
    const seat = await sitDown(t, [{ text: "Yes.", repeat: true }], { flags: ["--max-turns", "3"] });
    for (let message = 1; message <= 4; message += 1) {
      await seat.send(`message ${message}`);
      await scrolled(seat, new RegExp(`> message ${message}\n\nYes\\.`));
    }
    const all = await seat.screen();
    assert.doesNotMatch(all, /budget 1[0-9]{2} %/);
  });
  await habit("a waiting question rings the bell", async () => {
    const place = createReplPlace(t, [{ calls: [shell("touch b")] }, { text: "End." }]);
    const terminal = await openTerminal(t, {
      cwd: place.folder,
      environment: place.environment,
      command: ["script", "-qfc", place.command().join(" "), "typescript"],
    });
    await terminal.waitFor("ready");
    await terminal.type("go");
    await terminal.press("Enter");
    await terminal.waitFor("[n]");
    const bytes = readFileSync(join(place.folder, "typescript"), "utf8");
    assert.match(bytes.replaceAll(/\u{1b}\][^\u{7}\u{1b}]*(?:\u{7}|\u{1b}\\)/gu, ""), /\u{7}/u);
  });
  for (const [columns, rows] of [
    [24, 10],
    [40, 24],
    [120, 40],
    [200, 50],
  ] as const)
    await habit(`at ${columns}x${rows} a question shows the change`, async () => {
      const seat = await sitDown(
        t,
        [
          { calls: [{ name: "write_file", input: { path: "n.txt", content: "changed\n" } }] },
          { text: "End." },
        ],
        { columns, rows, isLoading: true },
      );
      await seat.send("go");
      const screen = await seat.waitFor(/\[n\]/);
      if (columns > 24) assert.match(screen, /\+ changed/);
      for (const row of screen.split("\n")) assert.ok(Array.from(row).length <= columns, row);
      await seat.type("y");
      await seat.waitFor("End.");
    });
  await habit("resize at a question keeps it", async () => {
    const seat = await sitDown(t, [{ calls: [shell("touch r")] }, { text: "End." }]);
    await seat.send("go");
    await seat.waitFor("[n]");
    await seat.resize(50, 24);
    const screen = await seat.waitFor(/Run touch r[^]*\[n\]/);
    assert.equal(screen.split("[n]").length, 2, screen);
    await seat.type("y");
    await seat.waitFor("End.");
  });
  await habit("NO_COLOR", async () => {
    const seat = await sitDown(t, [{ text: "# Head\n\n**bold**" }], { environment: { NO_COLOR: "1" } });
    await seat.send("go");
    await seat.waitFor("bold");
    assert.ok(!(await seat.colours()).includes("\u{1b}"));
  });
  await habit("TERM=dumb works without a screen", async () => {
    const place = createReplPlace(t, [{ text: "Plain." }]);
    const terminal = await openTerminal(t, {
      cwd: place.folder,
      environment: place.environment,
      command: ["env", "TERM=dumb", ...place.command()],
    });
    await terminal.type("go");
    await terminal.press("Enter");
    await terminal.waitFor("Plain.");
  });
  await habit("Ctrl-Z and fg keep the draft", async () => {
    const place = createReplPlace(t, [{ text: "Yes." }]);
    const terminal = await openTerminal(t, {
      cwd: place.folder,
      environment: place.environment,
      command: ["bash", "--norc", "-i"],
    });
    await terminal.type(place.command().join(" "));
    await terminal.press("Enter");
    await terminal.waitFor("ready");
    await terminal.type("half a question");
    await terminal.waitFor("> half a question");
    await terminal.press("C-z");
    await terminal.waitFor("Stopped");
    await terminal.type("fg");
    await terminal.press("Enter");
    await terminal.waitFor("> half a question");
  });
  await habit("/tour", async () => {
    const seat = await sitDown(t, [{ text: "x" }]);
    await seat.send("/tour");
    await seat.waitFor(/toolwright-tour\.txt[^]*\[n\]/);
    await seat.type("y");
    await seat.waitFor(/denied|DENIED/);
  });
}
