import type { Context, EndReason } from "./text/context.ts";
import type { DialectName } from "./dialects/dialects.ts";
import { openingsOf } from "./dialects/dialects.ts";
import type { Unlisted } from "./text/emitter.ts";
import { createEmitter } from "./text/emitter.ts";
import { createPatterns } from "./text/patterns.ts";
import type { Piece } from "./text/piece.ts";
import { readText } from "./read/read-text.ts";
import { Source } from "./text/source.ts";
import type { KnownTool } from "./text/tool-table.ts";
import { createToolTable } from "./text/tool-table.ts";

export interface TextReaderOptions {
  /** `auto` reads every dialect. */
  readonly dialect: DialectName | "auto";
  /** What the model was shown: it says of which type the parameters are where the dialect does not. */
  readonly tools?: readonly KnownTool[];
  /** What becomes of a call of a tool that is not among these: a call like any other (the default), or a problem. */
  readonly unlisted?: Unlisted;
}

/** Finds the calls in a text that arrives in parts. */
export interface TextReader {
  /** Takes the next part, cut anywhere, and gives what is known by now. Never throws, and never gives half a call. */
  push(chunk: string): readonly Piece[];
  /** Gives what is left. What was cut off is a problem, never a call. */
  end(reason?: EndReason): readonly Piece[];
}

/** A reader for one text. The pieces, with their texts joined, are the same however the text is cut. */
export function createTextReader({ dialect, tools = [], unlisted = "call" }: TextReaderOptions): TextReader {
  const table = createToolTable(tools);
  const source = new Source();
  const context: Context = {
    source,
    tools: table,
    openings: openingsOf(dialect),
    patterns: createPatterns(),
    tagWords: new Map(),
    emitter: createEmitter(table, unlisted),
    reason: undefined,
    isStrict: false,
  };
  const reading = readText(context);
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
