import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { TuiMainScreen } from "@earendil-works/pi-tui/dist/tui-main-screen.js";
import { PromptEditor } from "./input/prompt-editor.ts";
import { drawOn } from "./screen.ts";
import { FIRST_STATE, withBlock, type Block } from "./state/repl-state.ts";
import { createStore, type Store } from "./state/store.ts";
import { ReplTerminal } from "./terminal.ts";
import { createPaint } from "../terminal/print/paint.ts";

/** A terminal that shows nothing. */
class FakeTerminal extends ReplTerminal {
  bytes = "";
  size = { columns: 60, rows: 20 };

  override get columns(): number {
    return this.size.columns;
  }

  override get rows(): number {
    return this.size.rows;
  }

  override start(): void {}
  override stop(): void {}
  override hideCursor(): void {}
  override showCursor(): void {}
  override write(data: string): void {
    this.bytes += data;
  }
}

interface Drawn {
  readonly store: Store;
  readonly drawing: ReturnType<typeof drawOn>;
  readonly terminal: FakeTerminal;
  /** Draws now; returns the text that was written since the last time. */
  readonly draw: () => string;
  /** How many rows the library holds. */
  readonly rowsDrawn: () => number;
}

function open(t: TestContext): Drawn {
  const terminal = new FakeTerminal();
  const tui = new TuiMainScreen(terminal, true);
  const paint = createPaint({ isColoured: false });
  const store = createStore({ ...FIRST_STATE, agentState: "idle" });
  const editor = new PromptEditor(tui, { mark: "> ", paint, onSend: () => undefined });
  const drawing = drawOn(tui, { store, prompt: editor, answer: editor }, paint);
  t.after(() => drawing.finish());
  return {
    store,
    drawing,
    terminal,
    rowsDrawn: () => tui.captureRenderState().previousLines.length,
    draw() {
      terminal.bytes = "";
      tui.renderNow();
      return stripVTControlCharacters(terminal.bytes);
    },
  };
}

function notice(text: string): Block {
  return { kind: "notice", level: "info", text };
}

test("a finished block is written once, however often the live part is drawn", (t) => {
  const { store, draw } = open(t);
  store.change((state) => withBlock(state, { kind: "markdown", text: "It is over." }));
  assert.match(draw(), /It is over\./);
  for (const hint of ["one", "two", "three"]) {
    store.change((state) => ({ ...state, hint }));
    const drawn = draw();
    assert.ok(drawn.includes(hint) && !drawn.includes("It is over."), drawn);
  }
});

test("after a change of its size the terminal shows the last blocks and the prompt, and keeps its scrollback", (t) => {
  const { store, terminal, draw } = open(t);
  store.change((state) =>
    withBlock(state, ...Array.from({ length: 100 }, (_, index) => notice(`block ${index}.`))),
  );
  draw();
  terminal.size = { columns: 50, rows: 10 };
  const drawn = draw();
  assert.ok(drawn.includes("block 99.") && drawn.includes("> ") && !drawn.includes("block 50."), drawn);
});

test("a long conversation is drawn once, and costs later frames nothing", (t) => {
  const { store, draw, rowsDrawn } = open(t);
  for (let index = 0; index < 2000; index += 1) {
    store.change((state) => withBlock(state, notice(`block ${index}.`)));
    const drawn = draw();
    assert.equal(drawn.split(`block ${index}.`).length, 2, drawn);
    assert.ok(!drawn.includes(`block ${index - 1}.`), drawn);
  }
  assert.ok(rowsDrawn() < 600, String(rowsDrawn()));
});

test("a block that is finished when the screen closes is written before it closes, without the live part", (t) => {
  const { store, drawing, terminal } = open(t);
  store.change((state) => ({ ...state, hint: "busy" }));
  store.change((state) => withBlock(state, { kind: "markdown", text: "Last words." }));
  drawing.finish();
  const drawn = stripVTControlCharacters(terminal.bytes);
  assert.ok(drawn.includes("Last words.") && !drawn.includes("busy"), drawn);
});

test("after a suspension the next frame begins below, without the blocks above", (t) => {
  const { store, drawing, draw } = open(t);
  store.change((state) => withBlock(state, notice("before")));
  draw();
  drawing.finish();
  drawing.restart();
  store.change((state) => withBlock(state, notice("after")));
  const drawn = draw();
  assert.ok(drawn.includes("after") && drawn.includes("> ") && !drawn.includes("before"), drawn);
});

test("a screen that cannot be drawn rejects", async (t) => {
  const { store, drawing, draw } = open(t);
  const broken = { kind: "markdown", text: undefined } as unknown as Block;
  store.change((state) => withBlock(state, broken));
  draw();
  await assert.rejects(drawing.failed);
});
