import type { ReactNode } from "react";

/** A unified diff, one coloured line each. */
export function DiffView({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <pre className="code diff" tabIndex={0} role="region" aria-label={label}>
      {text
        .trimEnd()
        .split("\n")
        .map((line, index) => (
          // oxlint-disable-next-line no-array-index-key -- the lines of one text have no other identity
          <span key={index} className={kindOf(line)}>
            {line === "" ? " " : line}
          </span>
        ))}
    </pre>
  );
}

function kindOf(line: string): string {
  if (line.startsWith("@@") || line.startsWith("+++") || line.startsWith("---")) return "hunk";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "";
}
