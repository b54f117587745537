import type { ReactNode } from "react";
import { Badge } from "../../../ui/values/badge.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { useStickToEnd } from "../../../ui/address/hooks.ts";
import type { CallDetail } from "../../../ui/values/call-bits.tsx";

type Piece = CallDetail["progress"][number];

/** The output of a call as it arrives; the end stays in view while the reader is there. */
export function Progress({
  progress,
  isOpen,
}: {
  readonly progress: readonly Piece[];
  readonly isOpen: boolean;
}): ReactNode {
  const box = useStickToEnd<HTMLPreElement>();
  const text = progress.map(textOf).join("");
  const [done, total] = shareOf(progress);
  if (text === "" && !isOpen) return null;
  return (
    <Panel title="Output" actions={isOpen ? <Badge tone="info">Running</Badge> : undefined}>
      {total > 0 && (
        <div
          className="bar"
          role="progressbar"
          aria-valuenow={done}
          aria-valuemax={total}
          aria-label="Progress"
        >
          <i style={{ width: `${Math.min(100, (done / total) * 100)}%` }} />
        </div>
      )}
      <pre className="code" tabIndex={0} role="log" aria-label="Output" {...box}>
        {text === "" ? "No output yet" : text}
      </pre>
    </Panel>
  );
}

function textOf(piece: Piece): string {
  if (typeof piece === "string") return `${piece}\n`;
  if (typeof piece !== "object" || piece === null) return `${JSON.stringify(piece)}\n`;
  const { text, message } = piece as { readonly text?: unknown; readonly message?: unknown };
  if (typeof text === "string") return text;
  return typeof message === "string" ? `${message}\n` : "";
}

/** Returns the last `done` and `total`. */
function shareOf(progress: readonly Piece[]): readonly [done: number, total: number] {
  const last = progress.findLast((piece) => typeof piece === "object" && piece !== null && "total" in piece);
  const { done = 0, total = 0 } = (last ?? {}) as { readonly done?: number; readonly total?: number };
  return [done, total];
}
