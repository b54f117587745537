import type { ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { useRead } from "../../api/queries.ts";
import { Badge, Empty, Failed, Loading, PageHead } from "../../ui/bits.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { agoOf } from "../../ui/format.ts";

type Worker = AnswerOf<"fleet">["workers"][number];

const COLUMNS: readonly Column<Worker>[] = [
  {
    title: "Worker",
    width: "minmax(8rem, 1fr)",
    render: ({ id }) => <code>{id}</code>,
    sortBy: ({ id }) => id,
  },
  {
    title: "State",
    width: "8rem",
    render: ({ state }) => <Badge>{state}</Badge>,
    sortBy: ({ state }) => state,
  },
  {
    title: "Running",
    width: "5rem",
    render: ({ running }) => running,
    sortBy: ({ running }) => running,
    isNumber: true,
  },
  { title: "Tools", width: "minmax(6rem, 2fr)", render: ({ tools }) => tools.join(", "), isWide: true },
  { title: "Seen", width: "7rem", render: ({ seenAt }) => agoOf(seenAt), sortBy: ({ seenAt }) => seenAt },
];

/** The workers that run calls of this store on other machines. */
export function FleetPage(): ReactNode {
  const { data, error, refetch } = useRead("fleet", "/api/fleet", undefined, { everyMs: 5000 });
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="the fleet" />;
  return (
    <div className="page">
      <PageHead title="Fleet" about="Workers that run calls outside of this process." />
      {data.workers.length === 0 ? (
        <Empty title="No workers">Calls run on this machine. One machine needs no fleet.</Empty>
      ) : (
        <DataTable
          label="Workers"
          rows={data.workers}
          columns={COLUMNS}
          idOf={({ id }) => id}
          maxHeight="60vh"
        />
      )}
    </div>
  );
}
