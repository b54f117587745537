// What JSX of the console becomes: React's elements, whose texts have no character that could hide or fake something.
import type { ElementType, Key, ReactElement } from "react";
import * as react from "react/jsx-runtime";
import { visibleBlock } from "../src/util/text/visible.ts";

export type { JSX } from "react/jsx-runtime";
export const { Fragment } = react;

type Props = Readonly<Record<string, unknown>>;

export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  return react.jsx(type, shownProps(type, props), key);
}

/** For an element with several children. */
export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  return react.jsxs(type, shownProps(type, props), key);
}

/** Attributes that a person reads or hears. The value of a field stays what it is: it may be sent. */
const SHOWN = new Set(["children", "title", "aria-label", "placeholder", "alt", "label"]);

/** Texts reach the page in elements and fragments; components pass their own on. */
function shownProps(type: ElementType, props: Props): Props {
  if (typeof type !== "string" && type !== Fragment) return props;
  let changed: Record<string, unknown> | undefined;
  for (const name in props) {
    if (!SHOWN.has(name)) continue;
    const value = props[name];
    const text = shown(value);
    if (text !== value) (changed ??= { ...props })[name] = text;
  }
  return changed ?? props;
}

function shown(value: unknown): unknown {
  if (typeof value === "string") return visibleBlock(value);
  if (!Array.isArray(value)) return value;
  const texts = value.map(shown);
  // The same list, if it can be, keeps React's own marks on it.
  return texts.some((text, index) => text !== value[index]) ? texts : value;
}
