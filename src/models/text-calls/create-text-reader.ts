import type { Context, EndReason } from "./read/context.ts";
import { isUnclosed, openingsOf, type DialectName } from "./dialects/dialects.ts";
import { createEmitter, type Piece, type Unlisted } from "./read/emitter.ts";
import { createPatterns, Source } from "./scan/scan.ts";
import { fitNames } from "./read/fit-names.ts";
import { readText } from "./read/read-text.ts";
import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { createToolTable, type KnownTool } from "./read/tool-table.ts";

/** How calls are found in a model's text. */
export interface TextReaderOptions {
  /** `auto` reads every dialect. */
  readonly dialect: DialectName | "auto";
  /** The tools that the model was shown. Their schemas give parameters a type if the dialect does not. */
  readonly tools?: readonly KnownTool[];
  /** What a call of a tool that is not among these becomes; default: a call like any other. */
  readonly unlisted?: Unlisted;
  /** Whether the prompt opens the reasoning, so that the text begins inside it. */
  readonly startsInReasoning?: boolean;
  /** Whether a damaged call with one meaning is repaired; default: true. If not, it is a problem. */
  readonly repair?: boolean;
}

const KINDS: OptionKinds<TextReaderOptions> = {
  dialect: "a text",
  tools: "a list",
  unlisted: ["call", "problem"],
  startsInReasoning: "true or false",
  repair: "true or false",
};

/** Finds the calls in a text that arrives in chunks. */
export interface TextReader {
  /** Adds the next chunk and returns the pieces that are certain by now. Never throws, and never returns a part of a call. */
  push(chunk: string): readonly Piece[];
  /** Returns the remaining pieces. A call that was cut off is a problem, never a call. */
  end(reason?: EndReason): readonly Piece[];
}

/** Creates a reader for one text. The pieces, with adjacent texts joined, do not depend on where the text is cut. */
export function createTextReader(options: TextReaderOptions): TextReader {
  checkOptions("createTextReader", options, KINDS);
  const { dialect, tools = [], unlisted = "call", startsInReasoning = false, repair = true } = options;
  const table = createToolTable(tools);
  const source = new Source();
  const context: Context = {
    source,
    tools: table,
    openings: openingsOf(dialect),
    isUnclosed: dialect !== "auto" && isUnclosed(dialect),
    patterns: createPatterns(),
    tagNames: new Map(),
    emitter: createEmitter(table, unlisted, { mayRepair: repair, fit: (call) => fitNames(call, table) }),
    reason: undefined,
    strictUntil: 0,
  };
  const reading = readText(context, startsInReasoning);
  let isStarted = false;
  return {
    push: (chunk) => {
      if (source.isEnded || chunk === "") return [];
      source.feed(chunk);
      isStarted = true;
      reading.next();
      return context.emitter.take();
    },
    end: (reason) => {
      if (source.isEnded) return [];
      source.isEnded = true;
      context.reason = reason;
      if (isStarted) reading.next();
      context.emitter.finish();
      return context.emitter.take();
    },
  };
}
