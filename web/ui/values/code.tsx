import { useEffect, useState, type ReactNode } from "react";
import { prettyJson } from "./format.ts";

/** Copies a text to the clipboard and confirms it on the button. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  useEffect(() => {
    if (state === "ready") return undefined;
    const timer = window.setTimeout(() => setState("ready"), 1500);
    return () => window.clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  const caption = { ready: label, copied: "Copied", failed: "Not copied: the browser refused" }[state];
  return (
    <button type="button" className="button compact" onClick={copy} aria-live="polite">
      {caption}
    </button>
  );
}

/** A text as it is, in a box that can be scrolled with the keyboard. */
export function Code({
  children,
  label,
}: {
  readonly children: ReactNode;
  readonly label: string;
}): ReactNode {
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={label}>
      {children}
    </pre>
  );
}

export function Json({ value, label }: { readonly value: unknown; readonly label: string }): ReactNode {
  return <Code label={label}>{prettyJson(value)}</Code>;
}
