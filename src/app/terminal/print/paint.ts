import type { styleText } from "node:util";

/** `bold`, `red` …, or several of them. */
export type Style = Parameters<typeof styleText>[0];

/** Gives a text a style; without colours, or without a style, it returns the text. */
export type Paint = (style: Style | undefined, text: string) => string;

/** Returns a function that paints text, or leaves it as it is without colours. */
export function createPaint({ isColoured }: { readonly isColoured: boolean }): Paint {
  return (style, text) =>
    !isColoured || style === undefined || text === ""
      ? text
      : // On use only: most commands print no colour.
        process.getBuiltinModule("node:util").styleText(style, text, { validateStream: false });
}
