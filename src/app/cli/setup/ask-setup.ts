import { MODES, type Mode } from "../../../core/policy.ts";
import { visible } from "../../../util/text/visible.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { askModel, type ChosenModel, type ModelQuestions } from "./ask-model.ts";

/** What `init` sets up; a part that is undefined stays as it is. */
export interface Setup {
  readonly model: ChosenModel;
  readonly mode: Mode | undefined;
  /** Writes the project config, and trusts what the folder has. */
  readonly isProject: boolean;
  readonly client: string | undefined;
}

export interface SetupQuestions extends ModelQuestions {
  readonly mode: Mode;
  /** The names of what the folder has and needs trust. */
  readonly items: readonly string[];
  readonly clients: readonly string[];
}

const CLIENTS_PER_ROW = 7;

const DESCRIPTIONS: Readonly<Record<Mode, string>> = {
  yolo: "everything runs without approval",
  edits: "like auto, and file changes in the workspace run too",
  auto: "what is low risk or proven to only read runs, the rest needs approval",
  ask: "every call needs approval",
  plan: "only reading runs",
};

/** Asks the four questions. Returns undefined, and nothing is changed, if the user leaves. */
export async function askSetup(questions: SetupQuestions): Promise<Setup | undefined> {
  const model = await askModel(questions);
  if (model === undefined) return undefined;
  const mode = await askUntil(questions, modeQuestion(questions), (text) => toMode(text, questions));
  if (mode === undefined) return undefined;
  const isProject = await askUntil(questions, projectQuestion(questions), toYes);
  if (isProject === undefined) return undefined;
  const client = await askUntil(questions, clientQuestion(questions), (text) => toClient(text, questions));
  if (client === undefined) return undefined;
  return { model, mode: mode.value, isProject: isProject.value, client: client.value };
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

function modeQuestion({ mode }: SetupQuestions): string {
  const rows = MODES.map((name) => [`  ${name}`, DESCRIPTIONS[name]]);
  return `\n2. What runs without approval\n${alignRows(rows)}  mode (Enter: ${mode}): `;
}

function toMode(text: string, { mode }: SetupQuestions): Read<Mode | undefined> {
  if (text === "" || text === mode) return { value: undefined };
  const chosen = MODES.find((name) => name === text.toLowerCase());
  return chosen === undefined ? { wrong: `unknown mode; one of ${MODES.join(", ")}` } : { value: chosen };
}

function projectQuestion({ items }: SetupQuestions): string {
  const has =
    items.length === 0 ? "" : `\n  It has ${items.map(visible).join(", ")}; yes trusts them as they are now.`;
  return `\n3. Settings and tools of this folder, in .toolwright/${has}\n  set it up? [y]es, [n]o (Enter: no): `;
}

function toYes(text: string): Read<boolean> {
  if (/^(?:y|yes)$/i.test(text)) return { value: true };
  return /^(?:n|no|)$/i.test(text) ? { value: false } : { wrong: "[y]es or [n]o" };
}

function clientQuestion({ clients }: SetupQuestions): string {
  const starts = clients.keys().filter((index) => index % CLIENTS_PER_ROW === 0);
  const rows = [...starts].map((start) => clients.slice(start, start + CLIENTS_PER_ROW).join(", "));
  return `\n4. An MCP client that gets the tools\n  ${rows.join(",\n  ")}\n  client (Enter: none): `;
}

function toClient(text: string, { clients }: SetupQuestions): Read<string | undefined> {
  if (text === "" || text === "none") return { value: undefined };
  return clients.includes(text)
    ? { value: text }
    : { wrong: `unknown client; one of ${clients.join(", ")}, or Enter for none` };
}
