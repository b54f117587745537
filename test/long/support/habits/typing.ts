import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { sitDown, type Habits } from "../habits.ts";

/** Typing, keys, pastes and leaving. */
export async function typing(t: TestContext, { try: habit }: Habits): Promise<void> {
  const script = [
    { text: "Early." },
    { text: "Second." },
    { text: "Third." },
    { delayMs: 60_000, text: "late" },
  ];
  const seat = await sitDown(t, script, { isLoading: true });
  await habit("prompt at once: what is typed while it loads is sent", async () => {
    await seat.send("hello");
    await seat.waitFor("Early.");
  });
  await habit("Up recalls a message", async () => {
    await seat.press("Up");
    await seat.waitFor(/^> hello$[^]*^> hello$/m);
    await seat.press("C-u");
  });
  await habit("Ctrl-R searches", async () => {
    await seat.press("C-r");
    await seat.type("hel");
    await seat.waitFor(/search hel[^]*hello/);
    await seat.press("Escape");
    await seat.waitUntilGone("search hel");
    await seat.press("C-u");
  });
  await habit("wide characters stay in their columns", async () => {
    await seat.type("日本語 ok");
    await seat.waitFor("> 日本語 ok");
    assert.equal((await seat.cursor()).x, 11);
    await seat.press("C-u");
  });
  await habit("paste of 1 line", async () => {
    await seat.paste("a pasted line");
    await seat.waitFor("> a pasted line");
    await seat.press("C-u");
  });
  await habit("paste of 3 lines", async () => {
    await seat.paste("one\ntwo\nthree");
    await seat.waitFor(/> one\n {2}two\n {2}three/);
    for (let times = 0; times < 3; times += 1) await seat.press("C-u", "BSpace");
    await seat.waitUntilGone("two");
  });
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, index) => `row ${index}`).join("\n");
  await habit("paste of 50 lines is one word of the prompt", async () => {
    await seat.paste(lines(50));
    await seat.waitFor(/paste #1 \+\d+ lines/);
    await seat.press("C-u");
  });
  await habit("paste of 2000 lines is one word of the prompt", async () => {
    await seat.paste(lines(2000));
    await seat.waitFor(/paste #\d \+\d+ lines/);
  });
  await habit("a paste stays folded after it was sent", async () => {
    await seat.press("Enter");
    await seat.waitFor("Second.");
    assert.doesNotMatch(await seat.scrollback(), /row 1000/);
  });
  await habit("Ctrl-G opens the editor", async () => {
    const editor = await sitDown(t, script, {
      environment: { EDITOR: String.raw`sh -c 'printf "from the editor" > "$0"'` },
    });
    await editor.press("C-g");
    await editor.waitFor("> from the editor");
  });
  await habit("Markdown is drawn", async () => {
    const marked = await sitDown(t, [{ text: "**bold** and\n\n- one\n- two" }]);
    await marked.send("go");
    await marked.waitFor(/^bold and\n\n- one\n- two$/m);
  });
  await seat.send("third");
  await seat.waitFor("Third.");
  await seat.send("fourth");
  await habit("Ctrl-C once stops the answer", async () => {
    await seat.waitFor(/working|waiting for the model|thinking/);
    await seat.press("C-c");
    await seat.waitFor(/cancelled/);
  });
  await habit("Ctrl-C twice leaves", async () => {
    // Another key in between: the one that stopped the answer does not count.
    await seat.press("x");
    await seat.waitFor(/^> x$/m);
    await seat.press("BSpace");
    await seat.press("C-c");
    await seat.waitFor("Ctrl-C again leaves");
    await seat.press("C-c");
    await seat.waitFor(/exit 0\nicanon echo/);
  });
  await habit("Up recalls in a later session", async () => {
    const later = await sitDown(t, script, { place: seat.place });
    await later.press("Up");
    await later.waitFor(/^> fourth$/m);
    await later.press("C-k");
    await later.press("C-d");
    await later.waitFor("exit 0");
  });
  await habit("Ctrl-D leaves", async () => {
    const other = await sitDown(t, script);
    await other.press("C-d");
    await other.waitFor(/exit 0\nicanon echo/);
  });
  await habit("exit leaves", async () => {
    const other = await sitDown(t, script);
    await other.send("exit");
    await other.waitFor(/exit 0\nicanon echo/);
  });
  await habit("selection and scrollback are the terminal's own", async () => {
    const other = await sitDown(t, script);
    const raw = await other.colours();
    // No alternate screen: what was before the REPL is still there.
    assert.doesNotMatch(raw, /\u{1b}\[\?(?:1049|1000|1006)h/u);
    await other.send("hi");
    await other.waitFor("Early.");
    assert.match(await other.scrollback(), /> hi[^]*Early\./);
  });
}
