import { styleText } from "node:util";

/** `bold`, `red` …, or several of them. */
export type Style = Parameters<typeof styleText>[0];

/** Gives a text a style; without colours it returns the text. */
export type Paint = (style: Style, text: string) => string;

export function createPaint(isColoured: boolean): Paint {
  if (!isColoured) return (_style, text) => text;
  return (style, text) => (text === "" ? "" : styleText(style, text, { validateStream: false }));
}
