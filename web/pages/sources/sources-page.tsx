import type { ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { Action } from "../../ui/controls/action.tsx";
import { BackLink, Facts, PageHead, Panel } from "../../ui/layout/panel.tsx";
import { Badge, type Tone } from "../../ui/values/badge.tsx";
import { Empty, Failed, Loading } from "../../ui/layout/states.tsx";
import { linkTo, TWO_COLUMNS, useMatches } from "../../ui/address/hooks.ts";
import { plural } from "../../ui/values/format.ts";
import { Traffic } from "./traffic.tsx";
import { Pins } from "./pins.tsx";

type Source = AnswerOf<"sources">["sources"][number];

/** Where tools come from: health, problems, and changed definitions to approve. */
export function SourcesPage({ name }: { readonly name: string | undefined }): ReactNode {
  const { data, error, refetch } = useRead("sources");
  const hasRoom = useMatches(TWO_COLUMNS);
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="sources" />;
  const shownName = name ?? (hasRoom ? data.sources[0]?.name : undefined);
  const current = data.sources.find((source) => source.name === shownName);
  return (
    <div className="page">
      <PageHead title="Sources" about="Built-in tools, MCP servers, HTTP APIs, programs and extensions." />
      <div className={name === undefined ? "split" : "split has-detail"}>
        <nav className="panel scroll" aria-label="Sources">
          <ul className="list">
            {data.sources.map((source) => (
              <li key={source.name}>
                <a
                  className="item"
                  href={linkTo("sources", source.name)}
                  aria-current={source.name === shownName}
                >
                  <span className="row spread one-line">
                    <strong className="clip">{source.name}</strong> <Health source={source} />
                  </span>
                  <span className="small muted">
                    {plural(source.tools.length, "tool")}
                    {source.problems.length > 0 && ` · ${plural(source.problems.length, "problem")}`}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {current === undefined ? (
          <Empty title={name === undefined ? "Choose a source" : `There is no source ${name}`}>
            Add an MCP server with <code>toolwright mcp add NAME -- COMMAND</code>
          </Empty>
        ) : (
          <SourcePanel key={current.name} source={current} />
        )}
      </div>
    </div>
  );
}

function Health({ source }: { readonly source: Source }): ReactNode {
  const [tone, text] = healthOf(source);
  return <Badge tone={tone}>{text}</Badge>;
}

function healthOf({ state, server, problems }: Source): readonly [Tone, string] {
  if (server !== null && server.unapproved > 0) return ["warn", "Changes to approve"];
  if (state === "failed") return ["bad", "Failed"];
  if (state === "in_progress") return ["info", "Loading"];
  if (state === "not_started") return ["none", "Not loaded"];
  if (problems.length > 0) return ["warn", "Problems"];
  return ["ok", "Healthy"];
}

function SourcePanel({ source }: { readonly source: Source }): ReactNode {
  const { server } = source;
  const refresh = useChange(() => api.refreshSource({ name: source.name }), ["sources", "tools", "pins"]);
  return (
    <div className="stack">
      <BackLink to="sources">All sources</BackLink>
      <Panel
        title={source.name}
        actions={
          <>
            <Health source={source} />
            <Action right="admin" change={refresh} onClick={() => refresh.mutate(undefined)}>
              {refresh.isPending ? "Loading…" : "Load again"}
            </Action>
          </>
        }
      >
        <Facts
          of={{
            Kind: source.kind,
            Target: server !== null && <code>{server.target}</code>,
            Connection: server === null ? undefined : server.isConnected ? "connected" : "not connected",
            Config: server === null ? undefined : configOf(server),
          }}
        />
        {refresh.error !== null && <Failed error={refresh.error} />}
        {refresh.data?.failures.map(({ source: failed, error }) => (
          <Failed key={failed} error={error} />
        ))}
      </Panel>
      {source.problems.length > 0 && (
        <Panel title="Problems">
          <ul className="list">
            {source.problems.map((problem) => (
              <li key={`${problem.subject} ${problem.message}`} className="item">
                <span>
                  <Badge tone="warn">{problem.reason.replaceAll("_", " ")}</Badge>{" "}
                  <strong>{problem.subject}</strong>
                </span>
                <span>{problem.message}</span>
                {problem.hint !== undefined && <span className="small muted">{problem.hint}</span>}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {server !== null && <Pins source={source.name} unapproved={server.unapproved} />}
      <Panel title="Tools">
        {source.tools.length === 0 ? (
          <p className="muted">None is active.</p>
        ) : (
          <p className="row">
            {source.tools.map((tool) => (
              <a key={tool} href={linkTo("tools", tool)}>
                {tool}
              </a>
            ))}
          </p>
        )}
      </Panel>
      {server !== null && <Traffic source={source.name} />}
    </div>
  );
}

function configOf({ isProject, isTrusted }: NonNullable<Source["server"]>): string {
  const where = isProject ? "of the project" : "yours";
  return isTrusted ? where : `${where}, not trusted: run toolwright trust`;
}
