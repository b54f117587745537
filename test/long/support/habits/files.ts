import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createReplPlace } from "../../../flows/support/repl.ts";
import { sitDown, type Habits } from "../habits.ts";

/** Files, images and commands in the prompt. */
export async function files(t: TestContext, { try: habit }: Habits): Promise<void> {
  const script = [
    { when: "the text of a", text: "Read a." },
    { when: "export const sum", text: "Read sum." },
    { text: "Image." },
    { text: "Folder." },
  ];
  const place = createReplPlace(t, script);
  mkdirSync(join(place.folder, "src/deep"), { recursive: true });
  place.write("src/a.txt", "the text of a\n");
  place.write("src/deep/sum.js", "export const sum = 1;\n");
  writeFileSync(
    join(place.folder, "red.png"),
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
      "base64",
    ),
  );
  const seat = await sitDown(t, script, { place });
  await habit("@file in a named folder", async () => {
    await seat.send("read @src/a.txt");
    await seat.waitFor("Read a.");
  });
  await habit("@su finds src/deep/sum.js", async () => {
    await seat.type("read @su");
    await seat.waitFor("src/deep/sum.js");
    await seat.press("Tab");
    await seat.waitFor("> read @src/deep/sum.js");
    await seat.press("Enter");
    await seat.waitFor("Read sum.");
  });
  await habit("@image.png", async () => {
    await seat.send("see @red.png");
    await seat.waitFor("Image.");
  });
  await habit("@folder", async () => {
    await seat.send("see @src/ too");
    await seat.waitFor("Folder.");
    assert.doesNotMatch(await seat.screen(), /is a folder/);
  });
  await habit("@ of no file is told", async () => {
    await seat.send("see @nope.txt");
    await seat.waitFor(/no such file, sent as text: @nope\.txt/);
  });
  await habit("Ctrl-V takes an image of the clipboard", async () => {
    const bin = join(place.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "wl-paste"), `#!/bin/sh\ncat ${join(place.folder, "red.png")}\n`, {
      mode: 0o755,
    });
    const other = await sitDown(t, [{ text: "Seen." }], {
      environment: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
    });
    await other.press("C-v");
    await other.waitFor(/> .*(?:clipboard\.png|image #?1)/i);
  });
  await habit("!command", async () => {
    await seat.send("!echo $((40 + 2))");
    await seat.waitFor(/✓ shell[^]*42/);
  });
  await habit("!command that fails", async () => {
    await seat.send("!echo bad >&2; exit 3");
    await seat.waitFor(/✗ shell[^]*bad[^]*exit code 3/);
  });
}
