import type { ReactNode } from "react";

export type Tone = "ok" | "warn" | "bad" | "info" | "accent" | "none";

export function Badge({
  tone = "none",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}): ReactNode {
  return <span className={`badge ${tone}`}>{children}</span>;
}
