import assert from "node:assert/strict";
import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { saveClipboardImage } from "./clipboard-image.ts";
import { pastedReference } from "./pasted-path.ts";

const paste = (text: string): string => `\u{1b}[200~${text}\u{1b}[201~`;

test("the path of an image or PDF that is pasted becomes a reference, however the terminal quotes it", (t) => {
  const folder = temporaryFolder(t);
  const [plain, spaced] = [join(folder, "a.png"), join(folder, "my b.pdf")];
  for (const file of [plain, spaced]) writeFileSync(file, "x");
  assert.equal(pastedReference(paste(plain)), `@${plain} `);
  assert.equal(pastedReference(paste(`'${spaced}' `)), `@"${spaced}" `);
  assert.equal(pastedReference(paste(spaced.replaceAll(" ", "\\ "))), `@"${spaced}" `);
  assert.equal(pastedReference(paste(pathToFileURL(spaced).href)), `@"${spaced}" `);
});

test("other pastes and keys stay what they are", (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "a.ts"), "x");
  for (const text of [
    join(folder, "gone.png"),
    join(folder, "a.ts"),
    "see a.png",
    "a.png\nb.png",
    "relative.png",
  ])
    assert.equal(pastedReference(paste(text)), undefined, text);
  assert.equal(pastedReference("x"), undefined);
});

test("the image of the first program that has one is stored, and what is no image is not", async () => {
  const png = "89504e470d0a1a0a";
  const program = (hex: string) =>
    ({ command: ["node", "-e", `process.stdout.write(Buffer.from("${hex}", "hex"))`] }) as const;
  const missing = { command: ["toolwright-no-such-program"] } as const;
  const file = await saveClipboardImage([missing, program("3c68746d6c3e"), program(png)]);
  assert.equal(readFileSync(file ?? "").toString("hex"), png);
  assert.equal(await saveClipboardImage([missing, program("00")]), undefined);
});
