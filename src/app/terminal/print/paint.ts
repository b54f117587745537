import type { styleText } from "node:util";
import type { Theme } from "../../config/settings/theme-setting.ts";

/** `bold`, `red` …, or several of them. */
export type Style = Parameters<typeof styleText>[0];

/** Gives a text a style; without colours, or without a style, it returns the text. */
export interface Paint {
  (style: Style | undefined, text: string): string;
  /** The number of bits of a colour: 1 without colours, 4, 8 or 24. Default: 4. */
  readonly depth?: number;
  /** True: backgrounds are light, for a light terminal. Default: false. */
  readonly isLight?: boolean;
  /** Colours code; undefined if there are no colours or it is not loaded yet. */
  readonly code?: CodeLines;
}

/**
 * Returns the lines of code in colours; undefined for an unknown language, for long code and while the languages are not loaded.
 * It adds styles only: the text of each line stays as it is.
 */
export type CodeLines = (
  code: string,
  language: string,
  options: {
    readonly paint: Paint;
    /** True: the lines get a dark background. */ readonly isOnDark?: boolean;
  },
) => readonly string[] | undefined;

interface PaintOptions {
  readonly isColoured: boolean;
  readonly depth?: number | undefined;
  readonly code?: CodeLines | undefined;
  readonly isLight?: boolean;
}

/** Returns a function that paints text, or leaves it as it is without colours. */
export function createPaint({ isColoured, depth = 4, code, isLight = false }: PaintOptions): Paint {
  if (!isColoured) return Object.assign((_style: Style | undefined, text: string) => text, { depth: 1 });
  return Object.assign(
    (style: Style | undefined, text: string) =>
      style === undefined || text === ""
        ? text
        : // On use only: most commands print no colour.
          process.getBuiltinModule("node:util").styleText(style, text, { validateStream: false }),
    { depth, isLight, ...(code && { code }) },
  );
}

/** The colours of a theme in place of those that the terminal can show. */
function themed(theme: Theme, options: PaintOptions): PaintOptions {
  if (theme === "none") return { ...options, isColoured: false };
  if (theme === "ansi") return { ...options, depth: Math.min(4, options.depth ?? 4) };
  return { ...options, isLight: theme === "light" };
}

/** Returns a function that paints text in a theme, which can be replaced. */
export function createThemedPaint(first: Theme, options: PaintOptions) {
  let current = createPaint(themed(first, options));
  const paint = Object.defineProperties((style: Style | undefined, text: string) => current(style, text), {
    depth: { get: () => current.depth },
    isLight: { get: () => current.isLight },
    code: { get: () => current.code },
  }) as Paint;
  return { paint, use: (theme: Theme): void => void (current = createPaint(themed(theme, options))) };
}
