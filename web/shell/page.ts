import type { ReactNode } from "react";
import type { IconName } from "../ui/controls/icon.tsx";

/** A page of the console. */
export interface Page {
  readonly path: IconName;
  readonly title: string;
  /** Pressed after `g`. */
  readonly key: string;
  readonly render: (path: readonly string[]) => ReactNode;
}
