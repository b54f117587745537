import { LEVELS, MODES, type Level, type Mode } from "../../../core/policy.ts";
import { visible } from "../../../util/text/visible.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { LEVEL_SCOPE, LEVEL_TEXTS, MODE_TEXTS } from "../../terminal/print/modes-and-levels.ts";
import { wrapIndented, wrapLast } from "../../terminal/print/wrap.ts";
import { askModel, type ChosenModel, type ModelQuestions } from "./ask-model.ts";

/** What `init` sets up; a part that is undefined stays as it is. */
export interface Setup {
  readonly model: ChosenModel;
  readonly mode: Mode | undefined;
  readonly level: Level | undefined;
  /** Writes the project config, and trusts what the folder has. */
  readonly isProject: boolean;
  readonly client: string | undefined;
}

export interface SetupQuestions extends ModelQuestions {
  readonly mode: Mode;
  /** What Enter chooses; undefined where levels have no effect. */
  readonly level: Level | undefined;
  /** The level that is set already; it is not set again. */
  readonly currentLevel: Level | undefined;
  /** The columns of the terminal. */
  readonly width: number;
  /** The names of what the folder has and needs trust. */
  readonly items: readonly string[];
  readonly clients: readonly string[];
}

/** Asks the four questions. Returns undefined, and nothing is changed, if the user leaves. */
export async function askSetup(questions: SetupQuestions): Promise<Setup | undefined> {
  const model = await askModel(questions);
  if (model === undefined) return undefined;
  const mode = await askUntil(questions, modeQuestion(questions), (text) => toMode(text, questions));
  if (mode === undefined) return undefined;
  const isProject = await askUntil(questions, projectQuestion(questions, mode.value.chosen), toYes);
  if (isProject === undefined) return undefined;
  const client = await askUntil(questions, clientQuestion(questions), (text) => toClient(text, questions));
  if (client === undefined) return undefined;
  return {
    model,
    mode: mode.value.mode,
    level: mode.value.level,
    isProject: isProject.value,
    client: client.value,
  };
}

/** An answer, or what is wrong with it. */
type Read<T> = { readonly value: T } | { readonly wrong: string };

/** Asks until the answer is valid. */
async function askUntil<T>(
  { ask }: SetupQuestions,
  question: string,
  read: (text: string) => Read<T>,
): Promise<{ readonly value: T } | undefined> {
  for (let text = await ask(question); text !== undefined;) {
    const answer = read(text.trim());
    if ("value" in answer) return answer;
    text = await ask(`  ${answer.wrong}: `);
  }
  return undefined;
}

function modeQuestion({ mode, level, width }: SetupQuestions): string {
  const rowsOf = (names: readonly string[], texts: Readonly<Record<string, string>>): string =>
    alignRows(
      wrapLast(
        names.map((name) => [`  ${name}`, texts[name] ?? ""]),
        width,
      ),
    );
  const modes = `\n2. What runs without approval\n${rowsOf(MODES, MODE_TEXTS)}`;
  if (level === undefined) return `${modes}  mode (Enter: ${mode}): `;
  const levels = `${wrapIndented(`  ${LEVEL_SCOPE}:`, width).join("\n")}\n${rowsOf(LEVELS, LEVEL_TEXTS)}`;
  return `${modes}${levels}  mode, or mode and level (Enter: ${mode} ${level}): `;
}

interface ModeAndLevel extends Pick<Setup, "mode" | "level"> {
  /** What was chosen, in words: `ask` is a mode and a level. */
  readonly chosen: string;
}

/** A mode alone has the level that Enter chooses, and a level alone such a mode. */
function toMode(text: string, { mode, level: usual, currentLevel }: SetupQuestions): Read<ModeAndLevel> {
  const typed = text.toLowerCase().split(/[\s,]+/);
  const [first = "", second, ...more] =
    usual !== undefined && isOnlyLevel(typed[0]) ? [mode, ...typed] : typed;
  const chosen = first === "" ? mode : MODES.find((name) => name === first);
  const level = second === undefined ? usual : LEVELS.find((name) => name === second);
  if (chosen === undefined) return { wrong: `unknown mode; one of ${MODES.join(", ")}` };
  if (more.length > 0 || (second !== undefined && (usual === undefined || level === undefined)))
    return { wrong: usual === undefined ? "only a mode" : `unknown level; one of ${LEVELS.join(", ")}` };
  return {
    value: { mode: chosen === mode ? undefined : chosen, ...chosenLevel(chosen, level, currentLevel) },
  };
}

/** Returns true for a level that is no mode, as `ask` is. */
function isOnlyLevel(word: string | undefined): boolean {
  return LEVELS.some((name) => name === word) && !MODES.some((name) => name === word);
}

/** Returns the level to save, which only the modes auto and edits have, and the answer in words. */
function chosenLevel(
  mode: Mode,
  level: Level | undefined,
  current: Level | undefined,
): Omit<ModeAndLevel, "mode"> {
  if (level === undefined || (mode !== "auto" && mode !== "edits"))
    return { level: undefined, chosen: `mode ${mode}: ${MODE_TEXTS[mode]}` };
  return { level: level === current ? undefined : level, chosen: `mode ${mode}, level ${level}` };
}

function projectQuestion({ items, width }: SetupQuestions, chosen: string): string {
  const text = `  It has ${items.map(visible).join(", ")}; yes trusts them as they are now.`;
  const has = items.length === 0 ? "" : `\n${wrapIndented(text, width, 2).join("\n")}`;
  const meaning = wrapIndented(`  ${chosen}`, width, 2).join("\n");
  return `${meaning}\n\n3. Settings and tools of this folder, in .toolwright/${has}\n  set it up? [y]es, [n]o (Enter: no): `;
}

function toYes(text: string): Read<boolean> {
  if (/^(?:y|yes)$/i.test(text)) return { value: true };
  return /^(?:n|no|)$/i.test(text) ? { value: false } : { wrong: "[y]es or [n]o" };
}

function clientQuestion({ clients, width }: SetupQuestions): string {
  const rows = wrapIndented(`  ${clients.join(", ")}`, width, 2).join("\n");
  return `\n4. An MCP client that gets the tools\n${rows}\n  client (Enter: none): `;
}

function toClient(text: string, { clients }: SetupQuestions): Read<string | undefined> {
  if (text === "" || text === "none") return { value: undefined };
  return clients.includes(text)
    ? { value: text }
    : { wrong: "unknown client; a name of the list (Enter: none)" };
}
