import { ToolError } from "../../../core/errors.ts";
import type { FoundModel, Server } from "../../../models/find-models.ts";
import { visible } from "../../../util/text/visible.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";

/** The model that the user chose, with what it needs. */
export interface ChosenModel {
  /** Undefined: the setting stays as it is. */
  readonly id: string | undefined;
  /** A key to store. */
  readonly key?: { readonly provider: string; readonly value: string };
  /** The address of a compatible server, to be set. */
  readonly baseUrl?: string;
}

export interface ModelQuestions {
  /** Prints a question and returns the typed line; undefined if the user leaves. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** As `ask`, without showing what is typed. */
  readonly askHidden: (question: string) => Promise<string | undefined>;
  readonly print: (text: string) => void;
  /** Returns the address that the config has for a provider: its key is sent there. */
  readonly addressOf: (provider: string) => string | undefined;
  readonly models: readonly FoundModel[];
  /** Returns the names of the models of a provider. Rejects with a `ToolError`, UNAUTHORIZED if the key is refused. */
  readonly listModels: (provider: string, server: Server) => Promise<readonly string[]>;
  /** Sends a short request, and returns after how many milliseconds the model answers. Rejects with a `ToolError`. */
  readonly tryModel: (id: string, server: Server) => Promise<number>;
}

const MAX_LISTED = 9;
const KEYED = ["anthropic", "openai", "google"] as const;
const NONE: ChosenModel = { id: undefined };

/** The user has left. */
const LEFT = Symbol("left");
/** The first question is asked again. */
const AGAIN = Symbol("again");
type Step<T> = T | typeof LEFT | typeof AGAIN;

/**
 * Asks for a model: one that was found, or one of a provider whose key or of a server whose address is typed; these are tried. Returns
 * undefined if the user leaves.
 */
export async function askModel(questions: ModelQuestions): Promise<ChosenModel | undefined> {
  let question = modelQuestion(questions.models);
  for (;;) {
    const text = await questions.ask(question);
    if (text === undefined) return undefined;
    const step = await choose(text.trim(), questions);
    if (step === LEFT) return undefined;
    if (typeof step === "object") return step;
    question = `${step === AGAIN ? "" : `  ${step}\n`}  ${hintOf(questions.models)}`;
  }
}

function modelQuestion(models: readonly FoundModel[]): string {
  const rows = models
    .slice(0, MAX_LISTED)
    .map(({ id, where }, index) => [`  ${index + 1}`, visible(id), visible(where)]);
  const more = models.length > MAX_LISTED ? `  … and ${models.length - MAX_LISTED} more\n` : "";
  const none = models.length > 0 ? "" : "  no key and no local server was found\n";
  const keyed = "  anthropic, openai or google asks for a key\n  http://… is a compatible server\n";
  return `\n1. The model for agents\n${alignRows(rows)}${more}${none}${keyed}  ${hintOf(models)}`;
}

function hintOf(models: readonly FoundModel[]): string {
  return models.length > 0
    ? "a number (Enter: 1), provider/name, or none: "
    : "provider/name, or Enter for none: ";
}

/** Returns the chosen model, or what is wrong with the answer. */
async function choose(text: string, questions: ModelQuestions): Promise<Step<ChosenModel | string>> {
  const number = text === "" ? 1 : /^\d+$/.test(text) ? Number(text) : undefined;
  if (number !== undefined) {
    const model = questions.models.slice(0, MAX_LISTED)[number - 1];
    if (model !== undefined) return { id: model.id };
    return text === "" ? NONE : `there is no ${number}; a number or provider/name`;
  }
  if (text === "none" || text === "n") return NONE;
  if (/^https?:\/\//i.test(text))
    return connect({ provider: "compatible", baseUrl: text, isNew: true }, questions);
  const provider = KEYED.find((one) => one === text.toLowerCase());
  if (provider !== undefined) return connect({ provider, baseUrl: questions.addressOf(provider) }, questions);
  return /^[^/\s]+\/\S+$/.test(text)
    ? { id: text }
    : "write provider/name, such as ollama/qwen3, or a provider";
}

interface Service {
  readonly provider: string;
  readonly baseUrl: string | undefined;
  /** True: the address is typed, is to be stored, and may need no key. */
  readonly isNew?: true;
}

/** Lists the models of a service, with a key if it wants one, and tries the one that is chosen. */
async function connect(service: Service, questions: ModelQuestions): Promise<Step<ChosenModel>> {
  const listed = await listModelsOf(service, questions);
  if (typeof listed === "symbol") return listed;
  const id = await chooseListed(service, listed.names, questions);
  if (typeof id === "symbol") return id;
  const { key } = listed;
  const step = await tryOut(id, { baseUrl: service.baseUrl, apiKey: key }, questions);
  if (step !== undefined) return step;
  return {
    id,
    ...(service.isNew && service.baseUrl !== undefined && { baseUrl: service.baseUrl }),
    ...(key !== undefined && { key: { provider: service.provider, value: key } }),
  };
}

interface Listed {
  readonly names: readonly string[];
  readonly key: string | undefined;
}

/** A server may need no key: it is asked without one first. */
async function listModelsOf(service: Service, questions: ModelQuestions): Promise<Step<Listed>> {
  const { provider, baseUrl, isNew } = service;
  let key: string | undefined;
  let needsKey = isNew !== true;
  for (;;) {
    if (needsKey) {
      const typed = await questions.askHidden(
        `  key of ${visible(nameOf(service))} (not shown; Enter: back): `,
      );
      if (typed === undefined) return LEFT;
      key = typed.trim();
      if (key === "") return AGAIN;
    }
    try {
      return { names: await questions.listModels(provider, { baseUrl, apiKey: key }), key };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      if (needsKey || error.code !== "UNAUTHORIZED") report(error, questions);
      if (error.code !== "UNAUTHORIZED") return AGAIN;
      needsKey = true;
    }
  }
}

/** Returns where a key is sent to, for people. */
function nameOf({ provider, baseUrl, isNew }: Service): string {
  if (baseUrl === undefined) return provider;
  return isNew ? baseUrl : `${provider} at ${baseUrl}`;
}

async function chooseListed(
  { provider }: Service,
  names: readonly string[],
  { ask }: ModelQuestions,
): Promise<Step<string>> {
  const rows = names.slice(0, MAX_LISTED).map((name, index) => [`  ${index + 1}`, visible(name)]);
  const more = names.length > MAX_LISTED ? `  … and ${names.length - MAX_LISTED} more\n` : "";
  let question = `${alignRows(rows)}${more}  ${names.length === 0 ? "it lists no models; a name" : "a number (Enter: 1), or a name"}: `;
  for (;;) {
    const text = (await ask(question))?.trim();
    if (text === undefined) return LEFT;
    const name =
      text === "" || /^\d+$/.test(text) ? names[Number(text || 1) - 1] : text.replace(`${provider}/`, "");
    if (name !== undefined && !/\s/.test(name)) return `${provider}/${name}`;
    question = "  a number of the list, or the name of a model: ";
  }
}

/** Returns undefined if the model is to be used. */
async function tryOut(id: string, server: Server, questions: ModelQuestions): Promise<Step<undefined>> {
  try {
    questions.print(`  ${visible(id)} answered in ${await questions.tryModel(id, server)} ms\n`);
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    report(error, questions);
    const text = await questions.ask("  use it nevertheless? [y]es, [n]o (Enter: no): ");
    if (text === undefined) return LEFT;
    return /^y(?:es)?$/i.test(text.trim()) ? undefined : AGAIN;
  }
}

function report({ message, hint }: ToolError, { print }: ModelQuestions): void {
  print(`  ${visible(message)}\n${hint === undefined ? "" : `  ${visible(hint)}\n`}`);
}
