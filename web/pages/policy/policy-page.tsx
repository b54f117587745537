import type { ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { Action } from "../../ui/controls/action.tsx";
import { Badge, type Tone } from "../../ui/values/badge.tsx";
import { DataTable, type Column } from "../../ui/layout/data-table.tsx";
import { Empty, Failed, Loading } from "../../ui/layout/states.tsx";
import { MayNot } from "../../ui/controls/needs.tsx";
import { PageHead, Panel } from "../../ui/layout/panel.tsx";
import { Segments } from "../../ui/controls/inputs.tsx";
import { timeOf } from "../../ui/values/format.ts";
import { useMay } from "../../api/rights.ts";
import { ExplainBox } from "./explain-box.tsx";

type Policy = AnswerOf<"policy">;
type Grant = AnswerOf<"grants">["grants"][number];

const MODES: readonly (readonly [mode: Policy["mode"], does: string])[] = [
  ["plan", "Low risk runs; the rest is denied."],
  ["ask", "Every call needs approval."],
  ["auto", "Low risk runs; the rest needs approval."],
  ["edits", "Like auto, and changes of files in the workspace run."],
  ["yolo", "Everything runs that no rule denies and no protection stops."],
];

/** What policy decides: the mode, the rules in force, an explanation of any call, and saved approvals. */
export function PolicyPage(): ReactNode {
  const { data, error, refetch } = useRead("policy");
  const mayChange = useMay("admin");
  const setMode = useChange((mode: Policy["mode"]) => api.setMode({ mode }), ["policy", "state"]);
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="the policy" />;
  return (
    <div className="page">
      <PageHead title="Policy" about="Which calls run, which need approval, and which are denied." />
      <Panel title="Approval mode">
        <Segments
          label="Approval mode"
          options={MODES.map(([mode]) => [mode, mode] as const)}
          value={data.mode}
          onChange={setMode.mutate}
          isFixed={!mayChange}
        />
        <MayNot right="admin" />
        <p>
          {MODES.find(([mode]) => mode === data.mode)?.[1]}{" "}
          <span className="muted">A change here lasts until this server ends.</span>
        </p>
        {setMode.error !== null && <Failed error={setMode.error} />}
      </Panel>
      {data.problems.length > 0 && (
        <Panel title="Refused files">
          <p>Until they are fixed, every call needs approval.</p>
          <ul className="list">
            {data.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Panel>
      )}
      <ExplainBox />
      <Rules policy={data} />
      <Grants />
    </div>
  );
}

interface RuleRow {
  readonly id: string;
  readonly layer: string;
  readonly decision: string;
  readonly text: string;
  readonly reason: string;
  readonly isOff: boolean;
}

const TONES: Readonly<Record<string, Tone>> = { allow: "ok", ask: "warn", deny: "bad" };

const RULE_COLUMNS: readonly Column<RuleRow>[] = [
  {
    title: "Decision",
    width: "5rem",
    render: ({ decision }) => <Badge tone={TONES[decision] ?? "none"}>{decision}</Badge>,
    sortBy: ({ decision }) => decision,
  },
  {
    title: "Matches",
    width: "minmax(8rem, 2fr)",
    render: ({ text, isOff }) => (
      <>
        <span className="mono">{text}</span>{" "}
        {isOff && <Badge tone="warn">off: the project is not trusted</Badge>}
      </>
    ),
  },
  { title: "Reason", width: "minmax(6rem, 1fr)", render: ({ reason }) => reason, isWide: true },
  { title: "Layer", width: "5rem", render: ({ layer }) => layer, sortBy: ({ layer }) => layer },
  { title: "Rule", width: "minmax(6rem, 12rem)", render: ({ id }) => <code>{id}</code>, isWide: true },
];

function Rules({ policy }: { readonly policy: Policy }): ReactNode {
  const rows = policy.layers.flatMap(({ name, rules }) =>
    rules.map(({ id, rule, text, isOff }) => ({
      id,
      layer: name,
      decision: rule.decision,
      text,
      reason: rule.reason ?? "",
      isOff,
    })),
  );
  return (
    <Panel title="Rules in force">
      <p className="muted">Of all rules that match a call, the strictest decides.</p>
      <DataTable
        label="Rules"
        rows={rows}
        columns={RULE_COLUMNS}
        idOf={({ layer, id }) => `${layer} ${id}`}
        maxHeight="26rem"
        wraps
      />
      {policy.notes.length > 0 && (
        <details>
          <summary>Notes about rules that never decide</summary>
          <ul className="list">
            {policy.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

function Grants(): ReactNode {
  const { data, error } = useRead("grants");
  const revoke = useChange((id: string) => api.revokeGrant({ id }), ["grants"]);
  return (
    <Panel title="Saved approvals">
      {error !== null && <Failed error={error} />}
      {revoke.error !== null && <Failed error={revoke.error} />}
      {data?.grants.length === 0 && (
        <Empty title="None">Approvals for the session and for always appear here.</Empty>
      )}
      <ul className="list">
        {data?.grants.map((grant) => (
          <li key={grant.id} className="row spread item-row">
            <GrantLine grant={grant} />
            <Action
              right="approve"
              look="compact danger"
              change={revoke}
              onClick={() => revoke.mutate(grant.id)}
            >
              Revoke
            </Action>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function GrantLine({ grant }: { readonly grant: Grant }): ReactNode {
  return (
    <span>
      <Badge tone={grant.scope === "always" ? "warn" : "info"}>{grant.scope}</Badge> <code>{grant.text}</code>{" "}
      <span className="small muted">
        {timeOf(grant.grantedAt)}
        {grant.folder !== undefined && ` · in ${grant.folder}`}
      </span>
    </span>
  );
}
