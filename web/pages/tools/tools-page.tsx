import { useDeferredValue, useMemo, type ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { useRead } from "../../api/queries.ts";
import { Badge } from "../../ui/values/badge.tsx";
import { Empty, Failed, Loading } from "../../ui/layout/states.tsx";
import { linkBeside, useAddressed } from "../../ui/address/hooks.ts";
import { PageHead } from "../../ui/layout/panel.tsx";
import { plural } from "../../ui/values/format.ts";
import { RiskBadge } from "../../ui/values/call-bits.tsx";
import { SearchBox } from "../../ui/controls/inputs.tsx";
import { ToolPanel } from "./tool-panel.tsx";

type Tool = AnswerOf<"tools">["tools"][number];

/** The tools, by group, and the form of the chosen one. */
export function ToolsPage({ name }: { readonly name: string | undefined }): ReactNode {
  const [text, setText] = useAddressed("text", "");
  const search = useDeferredValue(text);
  const { data, error, refetch } = useRead("tools");
  const matches = useMemo(() => findTools(data?.tools ?? [], search), [data, search]);
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="tools" />;
  return (
    <div className="page">
      <PageHead
        title="Tools"
        about={`${plural(data.tools.length, "tool")}. Calls from here pass policy like every other.`}
      />
      <div className={name === undefined ? "split" : "split has-detail"}>
        <div className="stack">
          <SearchBox label="Search tools" value={text} onChange={setText} />
          <nav className="panel scroll" aria-label="Tools">
            {matches.length === 0 && <Empty title="No tool matches">Search for another word.</Empty>}
            {groupsOf(matches).map(([group, tools]) => (
              <section key={group} className="group">
                <h2 className="small muted">{group}</h2>
                <ul className="list">
                  {tools.map((tool) => (
                    <li key={tool.name}>
                      <ToolItem tool={tool} isCurrent={tool.name === name} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </nav>
        </div>
        {name === undefined ? (
          <Empty title="Choose a tool">
            Its form runs it here; the same call can be copied for a terminal or a program.
          </Empty>
        ) : (
          <ToolPanel key={name} name={name} />
        )}
      </div>
    </div>
  );
}

function ToolItem({ tool, isCurrent }: { readonly tool: Tool; readonly isCurrent: boolean }): ReactNode {
  return (
    <a className="item" href={linkBeside("tools", tool.name)} aria-current={isCurrent}>
      <span className="row spread one-line">
        <strong className="clip">{tool.name}</strong>
        <span className="row one-line">
          {!tool.isActive && <Badge>inactive</Badge>}
          {tool.risk !== "low" && <RiskBadge risk={tool.risk} />}
        </span>
      </span>
      <span className="small muted clip">{tool.summary}</span>
    </a>
  );
}

/** Returns the tools that have all words of the search, those with a match in the name first. */
function findTools(tools: readonly Tool[], search: string): readonly Tool[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ name }: Tool): number => (words.every((word) => name.toLowerCase().includes(word)) ? 0 : 1);
  return tools
    .filter((tool) => {
      const text = `${tool.name} ${tool.summary} ${tool.group ?? ""} ${tool.source}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

function groupsOf(tools: readonly Tool[]): readonly (readonly [string, readonly Tool[]])[] {
  return [...Map.groupBy(tools, ({ group, source }) => group ?? source)];
}
