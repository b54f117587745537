import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { runCli } from "../../../flows/support/cli.ts";
import { scrolled, shell, sitDown, type Habits } from "../habits.ts";

/** Questions and their answers. */
export async function questions(t: TestContext, { try: habit }: Habits): Promise<void> {
  const edit = (path: string) => ({ name: "write_file", input: { path, content: "1\n" } });
  const script = [
    { calls: [shell("touch y.txt")] },
    { calls: [shell("touch n.txt")] },
    { when: "declined this call: not today", calls: [shell("touch esc.txt")] },
    { text: "After." },
    { calls: [edit("always.txt")] },
    { calls: [edit("always.txt")], text: "again" },
    { text: "Twice." },
    { calls: [shell("touch edited.txt")] },
    { calls: [edit("q1.txt"), edit("q2.txt")] },
    { text: "Both." },
    { calls: [shell(`touch ${"long-".repeat(60)}end.txt`)] },
    {
      calls: [
        {
          name: "write_file",
          input: {
            path: "big.txt",
            content: Array.from({ length: 100 }, (_, index) => `row ${index}\n`).join(""),
          },
        },
      ],
    },
    { calls: [shell("node --test")] },
    { calls: [{ name: "edit_file", input: { path: "q1.txt", old_string: "not there", new_string: "x" } }] },
    { text: "End." },
  ];
  const seat = await sitDown(t, script);
  await seat.send("go");
  await habit("y allows once", async () => {
    await seat.waitFor(/touch y\.txt[^]*\[n\]/);
    await seat.type("y");
    await seat.waitFor(/touch n\.txt[^]*\[n\]/);
    assert.ok(existsSync(join(seat.place.folder, "y.txt")));
  });
  await habit("approve lists the question in a second terminal", async () => {
    const { stdout } = await runCli(seat.place, ["approve"]);
    assert.match(stdout, /touch n\.txt/);
  });
  await habit("n with a reason reaches the model", async () => {
    await seat.type("n");
    await seat.waitFor("reason (optional)");
    await seat.send("not today");
    await seat.waitFor(/touch esc\.txt[^]*\[n\]/);
  });
  await habit("Esc at a question declines", async () => {
    await seat.press("Escape");
    await seat.waitFor("After.");
    assert.ok(!existsSync(join(seat.place.folder, "esc.txt")));
  });
  await seat.send("next");
  await habit("a allows always", async () => {
    await seat.waitFor(/Create always\.txt[^]*\[a\][^]*\[n\]/);
    await seat.type("a");
    await seat.waitFor("Twice.");
  });
  await habit("the diff is in the transcript", async () => {
    assert.match(await seat.scrollback(), /1 \+ 1/);
  });
  await seat.send("next");
  await habit("e edits the input, and a JSON typo can be corrected", async () => {
    await seat.waitFor(/touch edited\.txt[^]*\[e\]/);
    await seat.type("e");
    await seat.waitFor(/^= \{"command":"touch edited\.txt"/m);
    await seat.press("C-u");
    await seat.send('{"command": ');
    await seat.waitFor("not a JSON object");
    await seat.send('"touch other.txt"}');
    await seat.waitFor(/1 of 2[^]*\[n\]/);
    assert.ok(existsSync(join(seat.place.folder, "other.txt")));
  });
  await habit("two questions come in turn", async () => {
    await seat.type("y");
    await seat.waitUntilGone("1 of 2");
    await seat.waitFor(/Create q\d\.txt[^]*\[n\]/);
    await seat.type("y");
    await seat.waitFor("Both.");
  });
  await seat.send("next");
  await habit("a long line is wrapped in the question", async () => {
    const question = await seat.waitFor("[n]");
    assert.match(question.replaceAll(/\s/g, ""), /(?:long-){60}end\.txt/);
    await seat.type("y");
  });
  await habit("Ctrl-O at a question shows 100 of 100 rows", async () => {
    await seat.waitFor(/Create big\.txt[^]*\[n\]/);
    await seat.press("C-o");
    const all = await scrolled(seat, /row 99/);
    for (let row = 0; row < 100; row += 1) assert.ok(all.includes(`+ row ${row}`), String(row));
    await seat.type("y");
  });
  await habit("s allows node --test for the session", async () => {
    await seat.waitFor(/node --test[^]*\[s\][^]*\[n\]/);
    await seat.type("s");
  });
  await habit("an edit that cannot work is not asked about", async () => {
    await seat.waitFor("End.");
    assert.match(await seat.scrollback(), /✗ edit_file.*q1\.txt/);
  });
}
