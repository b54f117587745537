import assert from "node:assert/strict";
import { test } from "node:test";
import { openTerminal, withoutTmux } from "../support/programs/terminal.ts";
import { oldNode } from "./support/cli.ts";
import { createReplPlace, openRepl } from "./support/repl.ts";

const skip = withoutTmux;

for (const [which, node] of Object.entries({ "this Node": process.execPath, "an old Node": oldNode }))
  test(
    `under ${which}, Ctrl-Z returns to the shell, and fg resumes the REPL`,
    {
      skip: skip || (node === undefined ? "there is no Node from 14 to 21 on the PATH" : false),
    },
    async (t) => {
      const place = createReplPlace(t, [{ text: "Yes." }]);
      const { environment, folder: cwd } = place;
      const terminal = await openTerminal(t, { cwd, environment, command: ["bash", "--norc", "-i"] });
      await terminal.type([node, ...place.command().slice(1)].join(" "));
      await terminal.press("Enter");
      await terminal.waitFor("ready");
      await terminal.type("half a question");
      await terminal.waitFor("> half a question");
      await terminal.press("C-z");
      const stopped = await terminal.waitFor(/Stopped/);
      assert.ok(!stopped.includes("half a question"), stopped);
      await terminal.type("stty -a | grep -o -- '-\\?icanon'; echo shell $((40 + 2))");
      await terminal.press("Enter");
      const shell = await terminal.waitFor("shell 42");
      assert.match(shell, /^icanon$/m);
      await terminal.type("fg");
      await terminal.press("Enter");
      const back = await terminal.waitFor(/> half a question/);
      assert.match(back, /shell 42[^]*resumed/, "what the shell has printed stays");
      await terminal.press("Enter");
      await terminal.waitFor("Yes.");
    },
  );

test("without a shell Ctrl-Z suspends nothing and loses nothing", { skip }, async (t) => {
  const terminal = await openRepl(t, createReplPlace(t, [{ text: "Yes." }]));
  await terminal.waitFor("ready");
  await terminal.type("half a question");
  await terminal.waitFor("> half a question");
  await terminal.press("C-z");
  await terminal.waitFor("resumed");
  await terminal.waitFor("> half a question");
  await terminal.press("Enter");
  await terminal.waitFor("Yes.");
});
