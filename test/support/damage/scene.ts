import type { JsonObject } from "../../../src/core/json.ts";
import type { EndReason } from "../../../src/models/text-calls/read/context.ts";
import type { Pick } from "./changed-inputs.ts";
import {
  joinMarkup,
  joinTokens,
  type Notation,
  type Token,
  type WrittenInput,
  type WrittenMarkup,
  type WrittenParameter,
} from "./notation.ts";

export interface Scene {
  readonly notation: Notation;
  readonly name: string;
  readonly input: JsonObject;
  readonly written: WrittenInput;
  readonly markup: WrittenMarkup;
  readonly pick: Pick;
}

/** What a kind of damage changes. */
export interface Change {
  readonly text?: string;
  readonly tokens?: readonly Token[];
  readonly markup?: WrittenMarkup;
  readonly isCut?: boolean;
  readonly reason?: EndReason;
}
export type Kind = (scene: Scene) => Change | undefined;

/** Changes one token of those that a test accepts. */
export function changeOne(
  { written: { tokens }, pick }: Scene,
  isTarget: (token: Token, index: number) => boolean,
  change: (raw: string, token: Token) => string,
): Change | undefined {
  const targets = tokens.flatMap((token, index) => (isTarget(token, index) ? [index] : []));
  const target = targets[pick(targets.length)];
  if (target === undefined) return undefined;
  return replaced(tokens, (token, index) => (index === target ? change(token.raw, token) : token.raw));
}

export function replaced(
  tokens: readonly Token[],
  change: (token: Token, index: number) => string,
): Change | undefined {
  const changed = tokens.map((token, index) => ({ ...token, raw: change(token, index) }));
  return joinTokens(changed) === joinTokens(tokens) ? undefined : { tokens: changed };
}

export const isValueEnd = ({ kind, raw, depth }: Token): boolean =>
  depth > 0 && (kind === "text" || kind === "word" || raw === "}" || raw === "]");
export const isText = ({ kind }: Token): boolean => kind === "text";
export const unescapeQuotes = (raw: string): string =>
  raw.startsWith('"') ? `"${raw.slice(1, -1).replaceAll(String.raw`\"`, '"')}"` : raw;

/** Damage to an input that is one value. */
export const inValue =
  (kind: Kind, ...notations: readonly Notation[]): Kind =>
  (scene) =>
    notations.includes(scene.notation) ? kind(scene) : undefined;
export const asJson = (kind: Kind): Kind => inValue(kind, "json");
export const asJsonOrPython = (kind: Kind): Kind => inValue(kind, "json", "python");
export const asValue = (kind: Kind): Kind => inValue(kind, "json", "python", "gemma");
export const asMarkup = (kind: Kind): Kind => inValue(kind, "markup");

export const comment = (open: string, close: string): Kind =>
  asJsonOrPython((scene) => changeOne(scene, isValueEnd, (raw) => `${raw} ${open} as asked${close}`));

/** Adds a comma after the last item of an object or list. */
export const lastComma = (closer: string): Kind =>
  asValue(({ written: { tokens } }) =>
    replaced(tokens, ({ raw, kind }, index) => {
      const isLast = kind === "punctuation" && raw === closer;
      const isEmpty = ["{", "["].includes(tokens[index - 1]?.raw ?? "");
      return isLast && !isEmpty ? `,${raw}` : raw;
    }),
  );

/** Changes one parameter, or the last one. */
export function changeParameter(
  { markup, pick }: Scene,
  change: (parameter: WrittenParameter) => Partial<WrittenParameter> | undefined,
  which: "any" | "first" | "last" = "any",
): Change | undefined {
  const { parameters } = markup;
  if (parameters.length === 0 || (which === "first" && parameters.length < 2)) return undefined;
  const index =
    which === "last" ? parameters.length - 1 : pick(parameters.length - (which === "first" ? 1 : 0));
  const target = parameters[index];
  const changed = target === undefined ? undefined : change(target);
  if (changed === undefined) return undefined;
  return {
    markup: {
      ...markup,
      parameters: parameters.map((one, at) => (at === index ? { ...one, ...changed } : one)),
    },
  };
}

export const always = (scene: Scene, text: (whole: string) => string): Change => ({
  text: text(wholeOf(scene)),
});

export function wholeOf({ notation, written: { before, tokens, after }, markup }: Scene): string {
  return notation === "markup" ? joinMarkup(markup) : before + joinTokens(tokens) + after;
}

export const CLOSING_TAG = /<\/[^>]+>|<\|close\|>argument<\|sep\|>/;

/** Puts a sentence between what closes the JSON and the marker. */
export function withText(after: string): string {
  const at = after.search(/[<\n]|$/);
  return `${after.slice(0, at)} This is what I need.${after.slice(at)}`;
}

export function cutOff(scene: Scene, reason: EndReason): Change | undefined {
  const whole = wholeOf(scene);
  const from = scene.notation === "markup" ? scene.markup.head.length : scene.written.before.length;
  const end = scene.notation === "markup" ? scene.markup.tail.length : scene.written.after.length + 1;
  const length = whole.length - end - from;
  if (length < 2) return undefined;
  return { text: whole.slice(0, from + 1 + scene.pick(length - 1)), isCut: true, reason };
}
