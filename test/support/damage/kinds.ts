import type { JsonObject } from "../../../src/core/json.ts";
import { dialectOf, type DialectName } from "../../../src/models/text-calls/dialects/dialects.ts";
import type { EndReason } from "../../../src/models/text-calls/read/context.ts";
import {
  joinMarkup,
  joinTokens,
  notationOf,
  writtenInput,
  writtenMarkup,
  type WrittenInput,
  type WrittenMarkup,
} from "./notation.ts";
import {
  always,
  asJson,
  asJsonOrPython,
  asMarkup,
  asValue,
  changeOne,
  changeParameter,
  CLOSING_TAG,
  comment,
  cutOff,
  inValue,
  isText,
  isValueEnd,
  lastComma,
  replaced,
  unescapeQuotes,
  wholeOf,
  withText,
  type Change,
  type Kind,
} from "./scene.ts";
import { CHANGED_INPUTS, RENAMED, type Pick } from "./changed-inputs.ts";
import type { RealCall } from "./real-calls.ts";

/** A call that was damaged on its way from the model. */
export interface DamagedCall {
  readonly kind: string;
  readonly dialect: DialectName;
  readonly call: RealCall;
  readonly text: string;
  readonly reason: EndReason;
  /** The damaged input, where the damage is in it. */
  readonly payload?: string;
  readonly markup?: WrittenMarkup;
  /** Whether a part of the call is missing. */
  readonly isCut: boolean;
  /** Whether a bracket around the calls is missing too, as if the text had been cut off. */
  readonly isBracketLost: boolean;
}

/** Returns the damaged text of a call; undefined if this kind of damage cannot happen to it. */
export function damage(
  kind: KindName,
  dialect: DialectName,
  call: RealCall,
  pick: Pick,
): DamagedCall | undefined {
  const notation = notationOf(dialect);
  const input = (CHANGED_INPUTS[kind] ?? ((same) => same))(call.input, pick);
  const isMarkup = notation === "markup";
  if (input === undefined || (isMarkup && isEntity(dialect, input))) return undefined;
  const written = isMarkup ? NOTHING : writtenInput(dialect, call.name, input);
  const markup = isMarkup ? writtenMarkup(dialect, call.name, input) : NO_MARKUP;
  const damageIn: Kind = KINDS[kind];
  const changed = damageIn({ notation, name: call.name, input, written, markup, pick });
  if (changed === undefined) return undefined;
  return toDamaged(changed, { kind, dialect, call, input, written, markup });
}

interface Made {
  readonly kind: KindName;
  readonly dialect: DialectName;
  readonly call: RealCall;
  readonly input: JsonObject;
  readonly written: WrittenInput;
  readonly markup: WrittenMarkup;
}

function toDamaged(changed: Change, { kind, dialect, call, input, written, markup }: Made): DamagedCall {
  const isMarkup = notationOf(dialect) === "markup";
  const { tokens, isCut = false, reason = "stop" } = changed;
  const payload = tokens === undefined ? undefined : joinTokens(tokens);
  const inPlace =
    payload === undefined ? joinMarkup(changed.markup ?? markup) : written.before + payload + written.after;
  const isChanged = kind in RENAMED;
  return {
    kind,
    dialect,
    // A value that was given quotes or tags is the one that must be found.
    call: isChanged ? call : { ...call, input: meant(input, changed.markup) },
    text: changed.text ?? inPlace,
    reason,
    ...(payload === undefined ? {} : { payload }),
    ...(isMarkup ? { markup: changed.markup ?? markup } : {}),
    isCut,
    isBracketLost: /[)\]]/.test(written.after),
  };
}

/** Returns whether a text of the input would be decoded, as in a dialect that escapes markup. */
function isEntity(dialect: DialectName, input: JsonObject): boolean {
  return /\$(?:value|raw)&/.test(dialectOf(dialect).call) && /&[#\w]+;/.test(JSON.stringify(input));
}

/** A mark in a value stands for the closing tag that was written there. */
function meant(input: JsonObject, markup: WrittenMarkup | undefined): JsonObject {
  const entries = Object.entries(input).map(([key, value]) => {
    const isMarked = typeof value === "string" && value.includes("\u0003");
    return [key, isMarked ? (markup?.parameters.find((one) => one.key === key)?.value ?? value) : value];
  });
  return Object.fromEntries(entries) as JsonObject;
}

const NOTHING: WrittenInput = { before: "", tokens: [], after: "" };
const NO_MARKUP: WrittenMarkup = { head: "", parameters: [], tail: "" };

/** The kinds of damage, fixed before the repair was written. */
export const KINDS = {
  "quotes around a word": asJsonOrPython((scene) =>
    replaced(scene.written.tokens, (token) => (isText(token) ? unescapeQuotes(token.raw) : token.raw)),
  ),
  "one quote": asJsonOrPython((scene) =>
    replaced(scene.written.tokens, (token) => (isText(token) ? unescapeQuotes(token.raw) : token.raw)),
  ),
  "no quote is escaped": asJsonOrPython((scene) => {
    const texts = scene.written.tokens.filter(({ text = "" }) => text.includes('"'));
    if (texts.length === 0) return undefined;
    return replaced(scene.written.tokens, ({ raw, kind }) => (kind === "text" ? unescapeQuotes(raw) : raw));
  }),
  "comment with //": comment("//", "\n"),
  "comment with #": comment("#", "\n"),
  "comment in /* */": asJson((scene) => changeOne(scene, isValueEnd, (raw) => `${raw} /* as "asked" */`)),
  "comment before a key": asJson((scene) =>
    changeOne(
      scene,
      ({ kind }) => kind === "key",
      (raw) => `\n// the next one\n${raw}`,
    ),
  ),
  "comma after the last member": lastComma("}"),
  "comma after the last item": lastComma("]"),
  "comma missing": asValue((scene) =>
    changeOne(
      scene,
      ({ raw }) => raw.trim() === ",",
      () => " ",
    ),
  ),
  "comma twice": asValue((scene) =>
    changeOne(
      scene,
      ({ raw }) => raw.trim() === ",",
      (raw) => raw + raw,
    ),
  ),
  "single quotes": asJson(({ written: { tokens } }) =>
    replaced(tokens, ({ raw, kind, text = "" }) =>
      (kind === "key" || kind === "text") && !/['"\\\n]/.test(text) ? `'${text}'` : raw,
    ),
  ),
  "typographic quotes": asJson(({ written: { tokens } }) =>
    replaced(tokens, ({ raw, kind, text = "" }) =>
      (kind === "key" || kind === "text") && !/["\\\n]/.test(text) ? `“${text}”` : raw,
    ),
  ),
  "keys without quotes": asJson(({ written: { tokens } }) =>
    replaced(tokens, ({ raw, kind, text = "" }) =>
      kind === "key" && /^[A-Za-z_]\w*$/.test(text) ? text : raw,
    ),
  ),
  "words of Python": asJson(({ written: { tokens } }) =>
    replaced(tokens, ({ raw }) => ({ true: "True", false: "False", null: "None" })[raw] ?? raw),
  ),
  "line breaks in a text": asJsonOrPython(({ written: { tokens } }) =>
    replaced(tokens, ({ raw, kind }) => (kind === "text" ? raw.replaceAll(/(?<!\\)\\n/g, "\n") : raw)),
  ),
  "unknown escape": asJson(({ written: { tokens } }) =>
    replaced(tokens, ({ raw, kind }) => (kind === "text" ? raw.replaceAll("\\\\.", "\\.") : raw)),
  ),
  "closing bracket missing": asValue(({ written: { tokens } }) =>
    tokens.at(-1)?.raw === "}" ? { tokens: tokens.slice(0, -1) } : undefined,
  ),
  "closing bracket twice": asValue(({ written: { tokens } }) =>
    tokens.at(-1)?.raw === "}"
      ? { tokens: [...tokens, { kind: "punctuation", raw: "}", depth: 0 }] }
      : undefined,
  ),
  "text after the input": (scene) =>
    scene.notation === "markup"
      ? { markup: { ...scene.markup, tail: `\nThis is what I need.${scene.markup.tail}` } }
      : {
          text: `${scene.written.before}${joinTokens(scene.written.tokens)}${withText(scene.written.after)}`,
        },
  "text before the input": (scene) =>
    scene.notation === "markup" && /[>\n]$/.test(scene.markup.head)
      ? { markup: { ...scene.markup, head: `${scene.markup.head}I need this: ` } }
      : undefined,
  "input in a code block": asJson(({ written: { before, tokens, after } }) => ({
    text: `${before}\n\`\`\`json\n${joinTokens(tokens)}\n\`\`\`\n${after}`,
  })),
  "input as a text": asJson(({ written: { before, tokens, after } }) => ({
    text: before + JSON.stringify(joinTokens(tokens)) + after,
  })),
  "every quote escaped": asJson(({ written: { tokens }, input }) =>
    JSON.stringify(input).includes("\\")
      ? undefined
      : replaced(tokens, ({ raw }) => raw.replaceAll('"', String.raw`\"`)),
  ),
  "key in another case": (scene) => always(scene, (whole) => whole),
  "key in snake_case or camelCase": (scene) => always(scene, (whole) => whole),
  "key with dashes": (scene) => (scene.notation === "python" ? undefined : always(scene, (whole) => whole)),
  "= for a colon": inValue(
    (scene) =>
      changeOne(
        scene,
        ({ raw }) => raw.trim() === ":",
        () => "=",
      ),
    "json",
    "gemma",
  ),
  "quote of a key missing": asJson((scene) =>
    changeOne(
      scene,
      ({ kind }) => kind === "key",
      (raw) => (scene.pick(2) === 0 ? raw.slice(1) : raw.slice(0, -1)),
    ),
  ),
  "quote of a text missing": asJsonOrPython((scene) => changeOne(scene, isText, (raw) => raw.slice(0, -1))),
  "tool in another case": (scene) => {
    const whole = wholeOf(scene);
    const other = scene.name.replaceAll(/(?:^|_)(\w)/g, (_, char: string) => char.toUpperCase());
    return other === scene.name ? undefined : { text: whole.replace(scene.name, other) };
  },
  "number or boolean as a text": (scene) => always(scene, (whole) => whole),
  "parameter not closed": asMarkup((scene) => changeParameter(scene, () => ({ close: "" }), "first")),
  "last parameter not closed": asMarkup((scene) => changeParameter(scene, () => ({ close: "" }), "last")),
  "parameter without its name": asMarkup((scene) =>
    changeParameter(scene, ({ key, open, value }) => {
      const [tag, word] = /<(\w+)(?:=|\s+name=)[^>]*>/.exec(open) ?? [];
      if (tag === undefined || word === undefined) return undefined;
      return { open: `${open.startsWith("\n") ? "\n" : ""}<${word}>${key}</${word}>\n`, value, close: "" };
    }),
  ),
  "tag in a value": asMarkup((scene) => ({ markup: scene.markup })),
  "closing tag in a value": asMarkup((scene) => {
    const { markup } = scene;
    return {
      markup: {
        ...markup,
        parameters: markup.parameters.map((one) => ({
          ...one,
          value: one.value.replace("\u0003", CLOSING_TAG.exec(one.close)?.[0] ?? ""),
        })),
      },
    };
  }),
  "wrong closing tag": asMarkup((scene) => {
    const last = scene.markup.parameters.at(-1)?.close;
    return changeParameter(scene, ({ key, close }) => {
      const wrong = close.includes(`/${key}`) ? "</value>" : `</${key}>`;
      return last === undefined || !/<\/[^>]+>/.test(close)
        ? undefined
        : { close: close.replace(/<\/[^>]+>/, wrong) };
    });
  }),
  "call not closed": (scene) => {
    const end = scene.notation === "markup" ? scene.markup.tail : scene.written.after;
    if (!/[<[]/.test(end)) return undefined;
    const whole = wholeOf(scene);
    return {
      text:
        whole.slice(0, whole.length - end.length) +
        (scene.notation === "json" && end.startsWith("}") ? "}" : ""),
    };
  },
  "cut off by the length limit": (scene) => cutOff(scene, "length"),
  "cut off without a reason": (scene) => cutOff(scene, "stop"),
} satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];
