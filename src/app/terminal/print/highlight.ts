import { basename, extname } from "node:path";
import type * as Core from "sugar-high/core";
import type { Language } from "sugar-high/lang";
import { fenceLanguage } from "../../../util/text/fence-language.ts";
import type { CodeLines, Style } from "./paint.ts";

/** Colours the syntax of code. */
export interface Highlighter {
  /** Loads the languages. Until then, and if it fails, no code is coloured. Never rejects. */
  load(): Promise<void>;
  readonly lines: CodeLines;
}

/** Some languages take time that grows with the square of the length. */
const MAX_CHARACTERS = 20_000;

const ON_TERMINAL: Readonly<Record<string, Style>> = {
  keyword: "magenta",
  string: "green",
  class: "cyan",
  property: "blue",
  entity: "blue",
  jsxliterals: "green",
  comment: "gray",
};
const ON_DARK: Readonly<Record<string, Style>> = {
  keyword: "magentaBright",
  string: "yellowBright",
  class: "cyanBright",
  property: "blueBright",
  entity: "blueBright",
  jsxliterals: "yellowBright",
  comment: ["white", "dim"],
};

/** Creates a highlighter without languages. */
export function createHighlighter(): Highlighter {
  let loaded: Languages | undefined;
  return {
    async load() {
      try {
        loaded ??= await loadLanguages();
      } catch {
        // Code without colours can be read too.
      }
    },
    lines(code, language, { paint, isOnDark = false }) {
      const config = loaded?.find(language)?.config;
      if (loaded === undefined || config === undefined || code.length > MAX_CHARACTERS) return undefined;
      const styles = isOnDark ? ON_DARK : ON_TERMINAL;
      const parsed = loaded.parse(code, config).lines.map(({ tokens }) => tokens);
      const lines = code.split("\n");
      return lines.map((line, index) => {
        const tokens = parsed[index] ?? [];
        const isWhole = tokens.map(({ value }) => value).join("") === line;
        return isWhole ? tokens.map(({ type, value }) => paint(styles[type], value)).join("") : line;
      });
    },
  };
}

/** Returns the name of the language of a file as `Highlighter.lines` takes it, which may be unknown there. */
export function languageOf(path: string): string {
  return (extname(path) || basename(path)).replace(/^\./, "").toLowerCase();
}

interface Languages {
  readonly find: (name: string) => Language | undefined;
  readonly parse: typeof Core.parse;
}

async function loadLanguages(): Promise<Languages> {
  const [{ parse }, { lang, languages }] = await Promise.all([
    import("sugar-high/core"),
    import("sugar-high/lang"),
  ]);
  return {
    parse,
    find(name) {
      const id = lang(fenceLanguage(name));
      return languages.find((one) => one.id === id);
    },
  };
}
