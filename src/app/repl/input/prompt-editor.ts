import { Editor, type EditorTheme } from "@earendil-works/pi-tui/dist/components/editor.js";
import {
  KeybindingsManager,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui/dist/keybindings.js";
import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { TUI } from "@earendil-works/pi-tui/dist/tui.js";
import type { Paint } from "../../terminal/print/paint.ts";
import { FIRST_VI, pressVi, toNormal, type Vi, type ViStep } from "./vi/vi.ts";
import type { Place } from "./vi/motions.ts";
import type { MenuItem } from "./complete.ts";

const [PREVIOUS, NEXT, UNDO] = ["\u{10}", "\u{e}", "\u{1f}"];

/** As many lines as the library folds of a paste. */
const MAX_RECALLED_LINES = 10;

export interface PromptOptions {
  /** Before the first row. */
  readonly mark: string;
  readonly paint: Paint;
  /** True: it has the keys of vi. Default: false. */
  readonly hasVi?: boolean;
  /** Called with the typed text, without surrounding blanks except a first space, which keeps it out of the stored history. */
  readonly onSend: (text: string) => void;
}

/** The editor of pi-tui without its borders, with a mark before the text and the terminal's own cursor. */
export class PromptEditor extends Editor {
  readonly #mark: string;
  #hiddenAbove = 0;
  #isPrivate = false;
  /** The recalled text that was folded. */
  #folded: string | undefined = undefined;
  /** The arrow keys have moved in the menu. */
  #hasMoved = false;
  /** Undefined without the keys of vi. */
  #vi: Vi | undefined = undefined;

  constructor(tui: TUI, { mark, paint, hasVi = false, onSend }: PromptOptions) {
    super(tui, themeOf(paint), { autocompleteMaxVisible: 6 });
    setKeybindings(
      new KeybindingsManager(TUI_KEYBINDINGS, {
        "tui.editor.historyPrevious": "ctrl+p",
        "tui.editor.historyNext": "ctrl+n",
      }),
    );
    this.#mark = mark;
    this.useVi(hasVi);
    this.focused = true;
    this.onSubmit = (text) => {
      if (this.#vi !== undefined) this.#vi = { ...this.#vi, mode: "insert", pending: "" };
      onSend(this.#isPrivate ? ` ${text}` : text);
    };
  }

  /** Replaces the texts that Up recalls, oldest first. */
  setHistory(entries: readonly string[]): void {
    // Entry by entry the library would keep only the last hundred.
    this["history"] = entries.toReversed();
  }

  /** Clears the text; returns false if it is empty. */
  clear(): boolean {
    if (this.getText() === "") return false;
    this.setText("");
    return true;
  }

  /** Sets the text, and opens the menu for its last word if there is one, also of a single entry: Tab would take that unseen. */
  offer(text: string): void {
    this.setText(text);
    if (text.startsWith("/")) this["requestAutocomplete"]({ force: false, explicitTab: false });
  }

  /** Switches the keys of vi on or off, or from one to the other; returns whether they are on. Each message starts in the insert mode. */
  useVi(isOn = this.#vi === undefined): boolean {
    this.#vi = isOn ? FIRST_VI : undefined;
    return isOn;
  }

  /** Returns true if Escape is for vi: it leaves the insert mode, or drops an incomplete command. */
  takesEscape(): boolean {
    const vi = this.#vi;
    if (vi?.mode === "insert") return this.getText() !== "";
    return vi !== undefined && vi.pending !== "";
  }

  /** Takes a key of vi; returns false if the editor takes it as ever. */
  #pressVi(data: string): boolean {
    const vi = this.#vi;
    if (vi === undefined) return false;
    const { line, col } = this.getCursor();
    const place = { lines: this.getLines(), line, col };
    const isEscape = matchesKey(data, "escape");
    if (vi.mode === "insert") {
      if (isEscape) this.#take(toNormal(place, vi), place);
      return isEscape;
    }
    if (isEscape) this.#vi = { ...vi, pending: "" };
    // Sequences of other keys, and pastes, are longer.
    const isCharacter = Array.from(data).length === 1 && data >= " " && data !== "\u{7f}";
    if (!isCharacter) return isEscape;
    this.#take(pressVi(place, vi, data), place);
    return true;
  }

  #take({ place, vi, isUndo }: ViStep, before: Place): void {
    this.#vi = vi;
    if (isUndo) return super.handleInput(UNDO);
    const isChanged = place.lines !== before.lines;
    if (isChanged) this["pushUndoSnapshot"]();
    this["state"] = { lines: [...place.lines], cursorLine: place.line, cursorCol: place.col };
    this["lastAction"] = null;
    if (isChanged) this.onChange?.(this.getText());
  }

  /** As in a shell, Up recalls an earlier text from anywhere in the first line, and Down a later one from the last. */
  override handleInput(data: string): void {
    const before = this.getText();
    this.#isPrivate = before.startsWith(" ");
    if (!this.isShowingAutocomplete() && this.#pressVi(data)) return;
    const isSent = matchesKey(data, "enter") && this.#entrySends();
    if (matchesKey(data, "up") || matchesKey(data, "down")) this.#hasMoved = this.isShowingAutocomplete();
    else if (!isSent) this.#hasMoved = false;
    const { line } = this.getCursor();
    const isFree = !this.isShowingAutocomplete();
    if (isFree && line === 0 && matchesKey(data, "up")) this.#recall(PREVIOUS);
    else if (isFree && line === this.getLines().length - 1 && matchesKey(data, "down")) this.#recall(NEXT);
    else super.handleInput(data);
    // The first Enter has taken the entry.
    if (isSent && this.getText() !== "") super.handleInput(data);
    this.#followDeletion(before.length - this.getText().length);
  }

  /** Returns whether Enter runs the command with the chosen entry: an argument of a command that a person typed a part of, or moved to. */
  #entrySends(): boolean {
    if (!this.isShowingAutocomplete() || !this.getText().startsWith("/")) return false;
    const item = this["autocompleteList"]?.getSelectedItem() as MenuItem | null | undefined;
    const isChosen = this.#hasMoved || this["autocompletePrefix"] !== "";
    return item?.enter === "sends" || (item?.enter === "sends a choice" && isChosen);
  }

  /** Recalls an earlier text; of a long one, all lines but the first are folded as a paste is. */
  #recall(key: string): void {
    const hasPastes = this["pastes"].size > 0 && this.getText() !== this.#folded;
    super.handleInput(key);
    // A draft keeps its own pastes.
    if (hasPastes) return;
    const [first = "", ...rest] = this.getLines();
    const isLong = rest.length >= MAX_RECALLED_LINES;
    this["pastes"] = new Map(isLong ? [[1, rest.join("\n")]] : []);
    this["pasteCounter"] = isLong ? 1 : 0;
    this.#folded = undefined;
    if (!isLong) return;
    const marker = `[paste #1 +${rest.length} lines]`;
    this["state"] = { lines: [first, marker], cursorLine: 1, cursorCol: marker.length };
    this.#folded = this.getText();
  }

  /** The library leaves its menu as it was when a key deletes more than one character. */
  #followDeletion(deleted: number): void {
    if (deleted < 2 || !this.isShowingAutocomplete()) return;
    if (this.getText() === "") this["cancelAutocomplete"]();
    else this["updateAutocomplete"]();
  }

  override render(width: number): string[] {
    const [, ...rows] = super.render(Math.max(4, width - this.#mark.length));
    const border = rows.indexOf("");
    const margin = " ".repeat(this.#mark.length);
    const typed = rows.slice(0, border).map((row, index) => {
      const mark = index + this.#hiddenAbove === 0 ? this.#firstMark() : margin;
      // The library also draws a cursor of its own.
      return mark + row.replace("\u{1b}[7m", "").replace("\u{1b}[0m", "").trimEnd();
    });
    return [...typed, ...rows.slice(border + 1).map((row) => row.trimEnd())];
  }

  /** In the normal mode of vi the mark is a colon. */
  #firstMark(): string {
    return this.#vi?.mode === "normal" ? ":".padEnd(this.#mark.length) : this.#mark;
  }

  protected override renderTopBorder(_width: number, hiddenAbove: number): string {
    this.#hiddenAbove = hiddenAbove;
    return "";
  }

  protected override renderBottomBorder(): string {
    return "";
  }
}

function themeOf(paint: Paint): EditorTheme {
  const dim = (text: string): string => paint("dim", text);
  const chosen = (text: string): string => paint("inverse", text);
  return {
    borderColor: dim,
    selectList: {
      selectedPrefix: chosen,
      selectedText: chosen,
      description: dim,
      scrollInfo: dim,
      noMatch: dim,
    },
  };
}
