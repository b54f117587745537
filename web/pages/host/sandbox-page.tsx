import type { ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { useRead } from "../../api/queries.ts";
import { Badge } from "../../ui/values/badge.tsx";
import { DataTable, type Column } from "../../ui/layout/data-table.tsx";
import { Facts, PageHead, Panel } from "../../ui/layout/panel.tsx";
import { Failed, Loading } from "../../ui/layout/states.tsx";

type Sandbox = AnswerOf<"sandbox">;

const KINDS: readonly Column<Sandbox["kinds"][number]>[] = [
  { title: "Kind", width: "8rem", render: ({ kind }) => <strong>{kind}</strong> },
  {
    title: "State",
    width: "7rem",
    render: ({ works }) => <Badge tone={works ? "ok" : "none"}>{works ? "works" : "does not work"}</Badge>,
  },
  {
    title: "Why",
    width: "minmax(6rem, 1fr)",
    render: ({ reason, hint }) => [reason, hint].filter(Boolean).join(": "),
  },
];

const CHANGES: readonly Column<Sandbox["changes"][number]>[] = [
  { title: "Path", width: "minmax(8rem, 2fr)", render: ({ path }) => <code>{path}</code> },
  { title: "Change", width: "8rem", render: ({ what }) => what },
  { title: "Conflict", width: "minmax(6rem, 1fr)", render: ({ conflict }) => conflict ?? "" },
];

/** The sandbox in use, the kinds that work on this machine, and what changed in its copy of the workspace. */
export function SandboxPage(): ReactNode {
  const { data, error, refetch } = useRead("sandbox");
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="the sandbox" />;
  const isNone = data.used === "none";
  return (
    <div className="page">
      <PageHead title="Sandbox" about="Where commands and untrusted tools run." />
      <Panel title="In use" actions={<Badge tone={isNone ? "warn" : "ok"}>{data.used}</Badge>}>
        {isNone && (
          <p>
            Tools run on the host, as you. Start the server with <code>--sandbox</code>, or set{" "}
            <code>{'"sandbox": "auto"'}</code>, to run them in a sandbox.
          </p>
        )}
        <Facts
          of={{
            Setting: data.wanted,
            Network: data.network ? "on" : "off",
            Domains: data.domains.join(", "),
            Workspace: data.workspace,
          }}
        />
      </Panel>
      <Panel title="Kinds on this machine">
        <DataTable
          label="Kinds of sandboxes"
          rows={data.kinds}
          columns={KINDS}
          idOf={({ kind }) => kind}
          wraps
        />
      </Panel>
      {data.workspace === "copy" && (
        <Panel title="Changes in the copy">
          {data.changes.length === 0 ? (
            <p className="muted">The copy is the same as the workspace.</p>
          ) : (
            <>
              <p className="muted">
                Apply them with <code>toolwright sandbox apply</code>, or drop them with{" "}
                <code>toolwright sandbox discard</code>.
              </p>
              <DataTable
                label="Changes"
                rows={data.changes}
                columns={CHANGES}
                idOf={({ path }) => path}
                wraps
              />
            </>
          )}
        </Panel>
      )}
    </div>
  );
}
