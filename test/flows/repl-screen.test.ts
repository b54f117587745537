import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutTmux } from "../support/programs/terminal.ts";
import { createReplPlace, openRepl } from "./support/repl.ts";

const skip = withoutTmux;
const ESCAPE = "\u{1b}";

test("at 40 columns every row fits and nothing important is lost", { skip }, async (t) => {
  const place = createReplPlace(t, [
    {
      text: "A sentence that is longer than forty columns of a narrow terminal.\n\n| name | what it is for |\n|---|---|\n| first | something that takes far more words than that |",
      calls: [{ name: "shell", input: { command: "touch a-file-with-a-long-name-that-does-not-fit.txt" } }],
    },
    { text: "Done." },
  ]);
  const terminal = await openRepl(t, place, { columns: 40 });
  await terminal.waitFor("ready");
  await terminal.type("a question that is longer than one row of it");
  await terminal.waitFor(/^> a question that is longer than one\n {2}row of it$/m);
  await terminal.press("Enter");
  const question = await terminal.waitFor("[n]");
  assert.match(question, /waiting for you · .*\bauto\b/);
  assert.match(question, /\[y\] Allow once/);
  await terminal.type("y");
  await terminal.waitFor("Done.");
  const all = await terminal.scrollback();
  assert.match(all, /what it is for[^]*something that takes/);
  // What was drawn and drawn over is nowhere.
  assert.ok(!all.includes("loading") && !all.includes("working"), all);
  for (const row of (await terminal.screen()).split("\n")) assert.ok(Array.from(row).length <= 40, row);
});

test("when the terminal changes its size the prompt is drawn again, once", { skip }, async (t) => {
  const place = createReplPlace(t, [{ text: "Yes." }]);
  const terminal = await openRepl(t, place, { columns: 100, rows: 30 });
  await terminal.waitFor("ready");
  await terminal.type("some words that stay");
  await terminal.resize(50, 15);
  // The name of the model is shortened before anything else.
  await terminal.waitFor(/^ready · story\.jsonl · mode auto/m);
  await terminal.resize(120, 40);
  const screen = await terminal.waitFor(/^ready · scripted\/story\.jsonl · mode auto/m);
  assert.equal(screen.split("some words that stay").length, 2, screen);
  assert.equal(screen.split("ready ·").length, 2, screen);
  await terminal.press("Enter");
  await terminal.waitFor("Yes.");
});

test("with NO_COLOR nothing on the screen has a colour or a style", { skip }, async (t) => {
  const place = createReplPlace(t, [
    { text: "# Head\n\n**bold**", calls: [{ name: "shell", input: { command: "touch x" } }] },
    { text: "Done." },
  ]);
  for (const environment of [{ NO_COLOR: "1" }, {}]) {
    const terminal = await openRepl(t, place, { environment });
    await terminal.waitFor("ready");
    await terminal.type("go");
    await terminal.press("Enter");
    await terminal.waitFor("[n]");
    const isPlain = !(await terminal.colours()).includes(ESCAPE);
    assert.equal(isPlain, "NO_COLOR" in environment);
  }
});

test("Ctrl-C at an empty prompt shows how to leave, and twice leaves", { skip }, async (t) => {
  const terminal = await openRepl(t, createReplPlace(t, [{ text: "Yes." }]));
  await terminal.waitFor("ready");
  await terminal.type("words");
  await terminal.press("C-c");
  await terminal.waitUntilGone("words");
  await terminal.press("C-c");
  await terminal.waitFor("Ctrl-C again leaves");
  await terminal.press("C-c");
  await terminal.waitFor(/exit 0\nicanon echo/);
});

test("Ctrl-D leaves and restores the terminal", { skip }, async (t) => {
  const terminal = await openRepl(t, createReplPlace(t, [{ text: "Yes." }]));
  await terminal.waitFor("ready");
  await terminal.press("C-d");
  await terminal.waitFor(/exit 0\nicanon echo/);
  assert.ok((await terminal.cursor()).isShown);
  // Typed after it, a paste is plain text again.
  await terminal.paste("pasted");
  const screen = await terminal.waitFor("pasted");
  assert.ok(!screen.includes("200~"), screen);
});

for (const [signal, code] of [
  ["TERM", 143],
  ["HUP", 129],
] as const) {
  test(`${signal} restores the terminal and exits with ${code}`, { skip }, async (t) => {
    const terminal = await openRepl(t, createReplPlace(t, [{ text: "Yes." }]));
    await terminal.waitFor("ready");
    const { execFileSync } = await import("node:child_process");
    execFileSync("pkill", [`-${signal}`, "-P", String(await terminal.pid())]);
    await terminal.waitFor(new RegExp(`exit ${code}\\nicanon echo`));
  });
}

test("a crash restores the terminal too", { skip }, async (t) => {
  const place = createReplPlace(t, []);
  const module = new URL("../../src/app/repl/terminal.ts", import.meta.url).href;
  const crash = `import { ReplTerminal } from ${JSON.stringify(module)};
    new ReplTerminal().start(() => undefined, () => undefined);
    process.stdout.write("\\u{1b}[?25lraw\\r\\n");
    // The terminal also answers what it is asked at the start.
    process.stdin.on("data", (data) => { if (String(data).includes("x")) throw new Error("on purpose"); });`;
  const terminal = await openRepl(t, {
    ...place,
    command: () => [process.execPath, "--input-type=module", "-e", crash],
  });
  await terminal.waitFor("raw");
  await terminal.type("x");
  await terminal.waitFor(/on purpose[^]*exit 1\s+icanon echo/);
  assert.ok((await terminal.cursor()).isShown);
});

test("an error while opening is printed after the terminal is restored", { skip }, async (t) => {
  const place = createReplPlace(t, [{ text: "Yes." }]);
  const terminal = await openRepl(t, place, { flags: ["--resume", "no-such-session"] });
  const screen = await terminal.waitFor(/exit 2\nicanon echo/);
  assert.match(screen, /no stored session has the id "no-such-session"/);
});
