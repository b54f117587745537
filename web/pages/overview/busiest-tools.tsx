import type { ReactNode } from "react";
import { countOf } from "../../ui/values/format.ts";
import { linkTo } from "../../ui/address/hooks.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import type { Counts } from "./counts.ts";

/** The tools with the most calls. */
export function BusiestTools({ counts }: { readonly counts: Counts }): ReactNode {
  const tools = counts.tools.slice(0, 6);
  const most = Math.max(1, ...tools.map(({ calls }) => calls));
  return (
    <Panel title="Busiest tools" actions={<a href={linkTo("tools")}>All</a>}>
      {tools.length === 0 ? (
        <p className="muted">No tool was called in this time.</p>
      ) : (
        <ul className="list ranks">
          {tools.map(({ name, calls, failed }) => (
            <li key={name}>
              <a className="rank" href={linkTo("tools", name)}>
                <i style={{ width: `${(calls / most) * 100}%` }} />
                <span className="mono">{name}</span>
                <span className="number">
                  {countOf(calls)}
                  {failed > 0 && <span className="bad-text"> · {countOf(failed)} failed</span>}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
