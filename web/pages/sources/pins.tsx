import { useState, type ReactNode } from "react";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { Action } from "../../ui/controls/action.tsx";
import { Badge } from "../../ui/values/badge.tsx";
import { DiffView } from "../../ui/values/diff.tsx";
import { Failed, Loading } from "../../ui/layout/states.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { plural } from "../../ui/values/format.ts";

/** The tools of a server whose definitions differ from the approved ones, and their approval. */
export function Pins({
  source,
  unapproved,
}: {
  readonly source: string;
  readonly unapproved: number;
}): ReactNode {
  const { data, error, refetch } = useRead("pins", { name: source }, { isEnabled: unapproved > 0 });
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const changes = unapproved > 0 ? (data?.changes ?? []) : [];
  const chosen = changes.filter(({ tool }) => !left.has(tool));
  const approve = useChange(
    () => api.approvePins({ name: source }, { changes: chosen.map(({ tool, hash }) => ({ tool, hash })) }),
    ["pins", "sources", "tools"],
  );
  if (unapproved === 0 && approve.data === undefined) return null;
  return (
    <Panel
      title="Changes to approve"
      actions={
        chosen.length > 0 && (
          <Action right="approve" look="primary" change={approve} onClick={() => approve.mutate(undefined)}>
            Approve {plural(chosen.length, "change")}
          </Action>
        )
      }
    >
      <p className="muted">
        The server changed these definitions after they were approved. The tools stay disabled until you
        approve exactly what is shown here.
      </p>
      {error !== null && <Failed error={error} retry={refetch} />}
      {approve.error !== null && <Failed error={approve.error} retry={refetch} />}
      {data === undefined && error === null && unapproved > 0 && <Loading what="the changes" />}
      {approve.data !== undefined && (
        <p role="status">
          <Badge tone="ok">Approved</Badge> {approve.data.approved.join(", ")}
        </p>
      )}
      {changes.map(({ tool, wasPinned, lines, hash }) => (
        <div key={`${tool} ${hash}`} className="stack">
          <label className="row">
            <input
              type="checkbox"
              checked={!left.has(tool)}
              onChange={({ target }) => setLeft(toggled(left, tool, target.checked))}
            />
            <strong>{tool}</strong> <Badge>{wasPinned ? "changed" : "new"}</Badge>
          </label>
          <DiffView text={lines.join("\n")} label={`What changed in ${tool}`} />
        </div>
      ))}
    </Panel>
  );
}

function toggled(all: ReadonlySet<string>, name: string, isChosen: boolean): ReadonlySet<string> {
  const next = new Set(all);
  if (isChosen) next.delete(name);
  else next.add(name);
  return next;
}
