import type { AssistantPart, Message } from "../../core/agent/message.ts";
import type { ToolResult } from "../../core/result.ts";
import { conversationOf } from "./conversation-of.ts";
import type { Entry, SessionInfo } from "./transcript.ts";
import { maskValue } from "../../secrets/mask-json.ts";
import { createMasker, type Masker } from "../../secrets/mask.ts";
import { contentText } from "../../util/text/content-text.ts";
import { visible, visibleBlock, visibleJson } from "../../util/text/visible.ts";
import { counted } from "../../util/text/words.ts";

/** Longer results are cut; the session has the whole. */
const MAX_RESULT_CHARACTERS = 2000;
const MAX_INPUT_CHARACTERS = 10_000;

/**
 * Exports a session as Markdown, with secrets masked; `engine.masker` knows those of an engine, the default only their forms. Messages and results are quoted or
 * fenced, so that no text in them can look like a heading.
 */
export function exportMarkdown(
  stored: SessionInfo,
  storedEntries: readonly Entry[],
  masker: Pick<Masker, "text" | "find"> = createMasker(),
): string {
  const { info, entries } = maskSession(stored, storedEntries, masker);
  const sections = entries.flatMap((entry) => {
    const renderedEntry = renderEntry(entry, info);
    return renderedEntry === undefined
      ? []
      : [`## ${entry.seq}. ${renderedEntry.heading}`, ...renderedEntry.blocks];
  });
  return `${["# Session", factsOf(info, entries), ...sections].join("\n\n")}\n`;
}

function factsOf(info: SessionInfo, entries: readonly Entry[]): string {
  const { turns, calls, usage } = conversationOf(entries);
  const cost = usage.cost === undefined || usage.cost === 0 ? "" : `, cost ${usage.cost.toFixed(4)}`;
  const forked = info.forkedFrom && `${info.forkedFrom.session} at ${info.forkedFrom.seq}`;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["About", info.title || undefined],
    ["Id", info.id],
    ["Agent", info.agent.name],
    ["Workspace", info.workspace],
    ["Model", info.model],
    ["Created", timeOf(info.createdAt)],
    ["Last used", timeOf(info.updatedAt)],
    ["Forked from", forked],
  ];
  return [
    ...facts.flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${code(value)}`])),
    `- ${counted(turns, "turn")}, ${counted(calls, "call")}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out${cost}`,
  ].join("\n");
}

interface Section {
  readonly heading: string;
  readonly blocks: readonly string[];
}

/** Returns undefined for entries without text for people. */
function renderEntry(entry: Entry, info: SessionInfo): Section | undefined {
  if (entry.kind === "message") return renderMessage(entry.message, info);
  if (entry.kind === "compaction") {
    const heading = `Summary of the entries before ${entry.keptFrom}`;
    return { heading, blocks: [collapsed("Summary", block(entry.summary))] };
  }
  if (entry.kind === "instructions") {
    const after = entry.keepsHistory ? "" : ", earlier messages dropped";
    const blocks = entry.parts.map(({ name, text }) => `${code(name)}\n\n${block(text)}`);
    return { heading: `New instructions${after}`, blocks };
  }
  if (entry.kind === "command") {
    const blocks = [fence(entry.text, "text"), fence(entry.output, "text")];
    return { heading: "Slash command, not sent to the model", blocks };
  }
  if (entry.kind !== "state" || entry.state !== "failed") return undefined;
  return { heading: "Failed", blocks: entry.reason === undefined ? [] : [block(entry.reason)] };
}

function renderMessage(message: Message, { agent }: SessionInfo): Section {
  if (message.role === "user") {
    const heading = message.from === undefined ? "Person" : `${message.from.kind} ${code(message.from.name)}`;
    return { heading, blocks: [block(contentText(message.content))] };
  }
  if (message.role === "assistant") {
    return { heading: `Agent ${code(agent.name)}`, blocks: message.parts.map(renderPart) };
  }
  return { heading: "Results", blocks: message.results.flatMap(renderResult) };
}

function renderPart(part: AssistantPart): string {
  if (part.type === "text") return block(part.text);
  if (part.type === "reasoning") return collapsed("Reasoning", fence(part.text, "text"));
  const { id, name, input, unreadable } = part.call;
  const head = `Calls ${code(name)} (${code(id)})`;
  if (unreadable !== undefined) return `${head}, which could not be read\n\n${block(unreadable)}`;
  return `${head}\n\n${fence(cut(JSON.stringify(input, undefined, 2) ?? "", MAX_INPUT_CHARACTERS), "json")}`;
}

function renderResult(result: ToolResult): readonly string[] {
  const outcome = result.ok ? "answered" : `failed with ${code(result.error.code)}`;
  const text = cut(contentText(result.content), MAX_RESULT_CHARACTERS);
  return [`${code(result.name)} (${code(result.callId)}) ${outcome}`, fence(text, "text")];
}

function cut(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const head = text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, "");
  return `${head}\n[${text.length - head.length} more characters are in the session]`;
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const BREAK = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/;
/** Matches headings and their underlines, also inside a quote or a list, and HTML. */
const MARKUP = /^[\s>*+\-\d.)]*(?:#{1,6}(?:\s|$)|=+\s*$|-+\s*$)|<[a-z/!?]/im;

/** Returns external text as a block: quoted, or fenced if it contains markup. */
function block(text: string): string {
  const lines = visibleLines(text.trimEnd());
  if (lines.some((line) => MARKUP.test(line))) return fence(text, "text");
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

function visibleLines(text: string): readonly string[] {
  return text.split(BREAK).map(visibleBlock);
}

/** Fences a text so that nothing in it can close the fence. */
function fence(text: string, language: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = "`".repeat(Math.max(3, longest + 1));
  return `${ticks}${language}\n${visibleLines(text).join("\n").trimEnd()}\n${ticks}`;
}

/** Returns a short text as inline code. */
function code(text: string): string {
  const flat = visible(text.replaceAll(/\s+/g, " ").trim()) || " ";
  const longest = Math.max(0, ...(flat.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = "`".repeat(longest + 1);
  // Markdown removes one blank on each side; it separates backticks of the text from the delimiters.
  return longest === 0 ? `${ticks}${flat}${ticks}` : `${ticks} ${flat} ${ticks}`;
}

/** Returns a collapsed section. */
function collapsed(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

/** Exports a session as one JSON object with all stored data but secrets, which are masked; default: those that can be told by their form. */
export function exportJson(
  info: SessionInfo,
  entries: readonly Entry[],
  masker: Pick<Masker, "text" | "find"> = createMasker(),
): string {
  const session = { format: "toolwright-session", version: 1, ...maskSession(info, entries, masker) };
  return `${visibleJson(JSON.stringify(session, undefined, 2))}\n`;
}

/** Returns a session with secrets masked. The store has what a person and a model wrote, because the conversation continues with it. */
export function maskSession(
  info: SessionInfo,
  entries: readonly Entry[],
  masker: Pick<Masker, "text" | "find">,
): { readonly info: SessionInfo; readonly entries: readonly Entry[] } {
  return maskValue({ info, entries }, masker) as unknown as ReturnType<typeof maskSession>;
}
