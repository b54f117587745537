import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { until } from "../../../flows/support/cli.ts";
import { createReplPlace } from "../../../flows/support/repl.ts";
import { scrolled, sitDown, type Habits } from "../habits.ts";

const write = (path: string, content: string) => ({ name: "write_file", input: { path, content } });

/** Changes, conversations, and commands after a slash. */
export async function sessions(t: TestContext, habits: Habits): Promise<void> {
  const { try: habit } = habits;
  const script = [
    { calls: [write("made.txt", "one\n")] },
    { text: "Made it." },
    { text: "Again.", repeat: true },
  ];
  const seat = await sitDown(t, script, { flags: ["--mode", "edits"] });
  await seat.send("make the file");
  await seat.waitFor("Made it.");
  await habit("/help fits the width", async () => {
    await seat.send("/help");
    const all = await scrolled(seat, /\/sessions[^]*Ctrl-C/);
    for (const row of all.split("\n")) assert.ok(row.length <= 100, row);
  });
  await habit("/diff", async () => {
    await seat.send("/diff");
    await scrolled(seat, /\/diff[^]*made\.txt[^]*one/);
  });
  await habit("/undo", async () => {
    await seat.send("/undo");
    await scrolled(seat, /\/undo\n[^]*made\.txt/);
    await until("the file is gone", () => !existsSync(join(seat.place.folder, "made.txt")));
  });
  for (const [command, shows] of [
    ["/sessions", /make the file/],
    ["/context", /window|tools/],
    ["/status", /mode +edits/],
    ["/mcp", /no MCP servers; toolwright mcp add/],
    ["/permissions", /\/mode shows and sets the mode/],
    ["/group", /files/],
    ["/cost", /tokens/],
  ] as const)
    await habit(command, async () => {
      await seat.send(command);
      const all = await scrolled(seat, new RegExp(`> ?${command}\n[^]*${shows.source}`));
      assert.doesNotMatch(all, /unknown command/);
    });
  await habit("/trace ID", async () => {
    await seat.send("/trace");
    const all = await scrolled(seat, /> ?\/trace\n[^]*write_file/);
    const [, id = ""] = /(\w{6,}) .*write_file/.exec(all) ?? [];
    await seat.send(`/trace ${id}`);
    await scrolled(seat, /made\.txt[^]*decision/);
  });
  await habit("/tool offers the tools", async () => {
    await seat.type("/tool read");
    await seat.waitFor("read_file");
    await seat.press("C-u");
  });
  await habit("/export", async () => {
    await seat.send("/export out.md");
    await seat.waitFor("written to");
    assert.match(readFileSync(join(seat.place.folder, "out.md"), "utf8"), /Made it\./);
  });
  await habit("/copy copies the last answer", async () => {
    await seat.send("/copy");
    await seat.waitFor(/cop(?:y|ied)/i);
    await scrolled(seat, /> ?\/copy\n[^]*copied/);
  });
  await compaction(t, habits);
  await seat.send("a second message");
  await scrolled(seat, /Again\./);
  await habit("Esc Esc goes back to the last message", async () => {
    await seat.press("Escape");
    await seat.press("Escape");
    await seat.waitFor(/> a second message|choose/);
  });
  await seat.press("C-u");
  await seat.press("C-d");
  await seat.waitFor(/exit 0/);
  await habit("-c continues", async () => {
    const next = await sitDown(t, script, { place: seat.place, flags: ["-c"] });
    await scrolled(next, /Made it\.|make the file/);
    await next.press("C-d");
    await next.waitFor("exit 0");
  });
  const next = await sitDown(t, script, { place: seat.place });
  await habit("/resume without an id is a picker", async () => {
    await next.send("/resume");
    await next.waitFor(/make the file/);
    assert.doesNotMatch(await next.screen(), /missing conversation id/);
  });
  await habit("the picker has titles and no sub-agents", async () => {
    assert.doesNotMatch(await next.screen(), /chat-\w+\.agent-/);
    // The first key takes the title, the second one runs the command.
    await next.press("Enter");
    await next.press("Enter");
    await scrolled(next, /Made it\./);
  });
  await trust(t, habits);
}

async function compaction(t: TestContext, { try: habit }: Habits): Promise<void> {
  const long = { text: `A long one. ${"word ".repeat(40_000)}` };
  const short = { text: "Short." };
  const seat = await sitDown(t, [long, short, short, { text: "A summary." }, short]);
  await seat.send("a long answer");
  await seat.waitFor(/\b[0-7]\d % context left/);
  for (const message of ["second", "third"]) {
    await seat.send(message);
    await scrolled(seat, new RegExp(`> ${message}\n\nShort\\.`));
  }
  await habit("/compact", async () => {
    await seat.send("/compact");
    await seat.waitFor(/compacted: \d+ tokens before, \d+ now/);
  });
  await habit("the context left is right after /compact", async () => {
    const screen = await seat.waitFor(/(\d+) % context left/);
    const [, left = "0"] = /(\d+) % context left/.exec(screen) ?? [];
    assert.ok(Number(left) > 80, screen);
  });
}

/** Instructions of a folder. */
async function trust(t: TestContext, { try: habit }: Habits): Promise<void> {
  const script = [{ text: "Hi.", repeat: true }];
  const place = createReplPlace(t, script);
  place.write("AGENTS.md", "Always answer in verse.\n");
  const seat = await sitDown(t, script, { place, isLoading: true });
  await habit("AGENTS.md is used after a yes", async () => {
    await seat.waitFor(/AGENTS\.md[^]*\[y\]/);
    await seat.type("y");
    await seat.waitFor("ready");
    await seat.send("/memory");
    await seat.waitFor(/AGENTS\.md.*trusted/);
  });
  await habit("/trust", async () => {
    await seat.send("/trust");
    await scrolled(seat, /> ?\/trust\n[^]*(?:AGENTS\.md|trusted|nothing)/);
    assert.doesNotMatch(await seat.screen(), /unknown command/);
  });
  await habit("background processes are listed and stopped", async () => {
    const other = await sitDown(
      t,
      [
        { calls: [{ name: "shell", input: { command: "sleep 300", background: true } }] },
        { text: "Started.", repeat: true },
      ],
      { flags: ["--mode", "yolo"] },
    );
    await other.send("go");
    await other.waitFor("Started.");
    await habit("the status line counts background processes", () => other.waitFor(/1 in background/));
    await other.send("/ps");
    const all = await scrolled(other, /> ?\/ps\n[^]*sleep 300/);
    const [, id = ""] = /^\s*(\S+).*sleep 300/m.exec(all.slice(all.lastIndexOf("/ps"))) ?? [];
    await other.send(`/ps stop ${id}`);
    await other.press("Enter");
    await other.waitUntilGone(/1 in background/);
  });
  await habit("the end of background processes is told on leaving", async () => {
    const other = await sitDown(
      t,
      [
        { calls: [{ name: "shell", input: { command: "sleep 301", background: true } }] },
        { text: "Started.", repeat: true },
      ],
      { flags: ["--mode", "yolo"] },
    );
    await other.send("go");
    await other.waitFor("Started.");
    await other.press("C-d");
    await other.waitFor(/background[^]*exit 0/);
    assert.throws(() => execFileSync("pgrep", ["-f", "^sleep 301$"]));
  });
}
