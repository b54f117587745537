import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test, type TestContext } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { mountScreen, type Screen } from "./screen.ts";
import { FIRST_STATE, withBlock, type Block, type ReplState } from "./state/repl-state.ts";
import { createStore, type Store } from "./state/store.ts";

interface Drawn {
  readonly store: Store<ReplState>;
  readonly screen: Screen;
  readonly text: () => string;
  readonly until: (wanted: string) => Promise<void>;
}

function draw(t: TestContext): Drawn {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 60, rows: 20 });
  let bytes = "";
  stdout.setEncoding("utf8").on("data", (piece: string) => (bytes += piece));
  const store = createStore<ReplState>({ ...FIRST_STATE, agentState: "idle" });
  const screen = mountScreen({ store, stdout: stdout as unknown as NodeJS.WriteStream, isColoured: false });
  // In a program the keyboard keeps the process alive, the timers of the screen do not.
  const alive = setInterval(() => undefined, 1000);
  t.after(async () => {
    clearInterval(alive);
    await screen.close();
  });
  // The stripper does not know the sequences that save and restore the cursor, and would remove a letter.
  const text = (): string => stripVTControlCharacters(bytes.replaceAll(/\u{1b}[78]/gu, ""));
  return {
    store,
    screen,
    text,
    until: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!text().includes(wanted)) return;
          stdout.off("data", look);
          resolve();
        };
        stdout.on("data", look);
        look();
      }),
  };
}

test("a finished block is written once, however often the live part is drawn", async (t) => {
  const { store, text, until } = draw(t);
  const block: Block = { kind: "markdown", text: "It is over." };
  store.change((state) => withBlock(state, block));
  await until("It is over.");
  for (const hint of ["one", "two", "three"]) {
    store.change((state) => ({ ...state, hint }));
    await until(hint);
  }
  assert.equal(text().split("It is over.").length, 2);
});

test("a block that is finished when the screen closes is written before it closes", async (t) => {
  const { store, screen, text } = draw(t);
  store.change((state) => ({ ...state, hint: "busy" }));
  store.change((state) => withBlock(state, { kind: "markdown", text: "Last words." }));
  await screen.close();
  assert.match(text(), /Last words\./);
});

test("a screen that cannot be drawn rejects", async (t) => {
  const { store, screen } = draw(t);
  const broken = { kind: "markdown", text: undefined } as unknown as Block;
  store.change((state) => withBlock(state, broken));
  await assert.rejects(screen.failed);
});
