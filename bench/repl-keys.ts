import { TuiMainScreen } from "@earendil-works/pi-tui/dist/tui-main-screen.js";
import { findPaths, indexPath } from "../src/app/repl/input/files/find-files.ts";
import { PromptEditor } from "../src/app/repl/input/prompt-editor.ts";
import { drawOn } from "../src/app/repl/screen.ts";
import { FIRST_STATE, foldRuns, withBlock, type Block } from "../src/app/repl/state/repl-state.ts";
import { createStore } from "../src/app/repl/state/store.ts";
import { ReplTerminal } from "../src/app/repl/terminal.ts";
import { createPaint } from "../src/app/terminal/print/paint.ts";
import { median, type Row } from "./measure.ts";

const FILES = 100_000;
const LINES = 10_000;
const BLOCKS = 20_000;
const TYPED = ["s", "su", "comp", "c99", "pkgcmp99", "zzzz", "test"];
const ROUNDS = 9;

/** Measures what a key of the REPL may wait for, in CPU time: the search behind `@`, and a frame of a long conversation. */
export function benchReplKeys(): Promise<readonly Row[]> {
  const [search, frame] = [slowestSearch(), frameOfLongTranscript()];
  const [short, long] = [foldingOf(BLOCKS / 10), foldingOf(BLOCKS)];
  const ratio = long / short;
  return Promise.resolve([
    row("@ among 100 000 files, slowest word", search, 50),
    row("a frame after 10 000 lines of transcript", frame, 16),
    {
      what: "blocks of a resumed conversation: 20 000 against 2 000",
      figure: `${long.toFixed(1)} ms`,
      against: `${short.toFixed(1)} ms`,
      target: "30x",
      isReached: ratio <= 30,
    },
  ]);
}

/** Folds runs of calls of a resumed conversation: each third block is a message. Ten times as many may take more than ten times as long, not a hundred. */
function foldingOf(count: number): number {
  const call: Block = {
    kind: "call",
    summary: "file.ts",
    result: {
      ok: true,
      callId: "c",
      name: "read_file",
      content: [{ type: "text", text: "x" }],
      meta: { startedAt: 0, durationMs: 1, place: "in-process", attempts: 1, source: "built-in" },
    },
    durationMs: 1,
    isOfChild: false,
    isExpanded: false,
  };
  const blocks = Array.from({ length: count }, (_, index): Block =>
    index % 3 === 0 ? { kind: "markdown", text: `${index}` } : call,
  );
  return medianCpu(() => foldRuns(blocks, () => true));
}

function slowestSearch(): number {
  const paths = Array.from({ length: FILES }, (_, index) =>
    indexPath(`packages/p${index % 300}/src/module-${index % 77}/component-${index}.test.ts`),
  );
  const options = { limit: 50, recent: new Set<string>() };
  return Math.max(...TYPED.map((word) => medianCpu(() => findPaths(word, paths, options))));
}

/** Draws the next key after a long conversation, on a terminal that shows nothing. */
function frameOfLongTranscript(): number {
  const terminal = new SilentTerminal();
  const tui = new TuiMainScreen(terminal, true);
  const paint = createPaint({ isColoured: true });
  const blocks = Array.from({ length: LINES / 10 }, (_, index): Block => {
    const text = Array.from({ length: 10 }, (_line, line) => `- item ${line} of **answer** ${index}`).join(
      "\n",
    );
    return { kind: "markdown", text };
  });
  const store = createStore(FIRST_STATE);
  const editor = (): PromptEditor => new PromptEditor(tui, { mark: "> ", paint, onSend: () => undefined });
  const drawing = drawOn(tui, { store, prompt: editor(), answer: editor() }, paint);
  for (const block of blocks) {
    store.change((state) => withBlock(state, block));
    tui.renderNow();
  }
  const frames = medianCpu(() => {
    store.change((state) => ({ ...state, hint: `hint ${performance.now()}` }));
    tui.renderNow();
  });
  drawing.finish();
  return frames;
}

class SilentTerminal extends ReplTerminal {
  override get columns(): number {
    return 120;
  }
  override get rows(): number {
    return 40;
  }
  override write(): void {
    // Only the cost of drawing is measured.
  }
  override showCursor(): void {
    // As above.
  }
  override hideCursor(): void {
    // As above.
  }
}

function medianCpu(work: () => void): number {
  work();
  return median(
    Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }),
  );
}

function row(what: string, ms: number, limit: number): Row {
  return { what, figure: `${ms.toFixed(1)} ms`, against: "", target: `${limit} ms`, isReached: ms <= limit };
}
