import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { read } from "../../api/client.ts";
import { useEvents } from "../../api/events.ts";
import { queries, useRead } from "../../api/queries.ts";
import { DataTable, type Column } from "../../ui/layout/data-table.tsx";
import { Failed, Loading } from "../../ui/layout/states.tsx";
import { PageHead } from "../../ui/layout/panel.tsx";
import { plural, timeOf } from "../../ui/values/format.ts";
import { SearchBox, Segments, valuesOf } from "../../ui/controls/inputs.tsx";
import { showCall, useShownCall } from "../../ui/address/shown-call.ts";
import { useAddressed, useSettled } from "../../ui/address/hooks.ts";
import type { Call } from "../../ui/values/call-bits.tsx";
import { NarrowCall, useColumnChoice } from "./list/call-columns.tsx";
import { Chip, SaveView } from "./filters/chips.tsx";
import { CallsOverTime } from "./timeline/calls-over-time.tsx";
import { ExportMenu } from "./list/export-menu.tsx";
import { FilterChips, FilterMenu, useFilters, type CallFilters } from "./filters/filters.tsx";
import { useSessionNames } from "./list/session-names.ts";
import { timeRangeOf } from "./filters/time-range.ts";
import { callKey } from "../../../src/util/text/call-key.ts";
import { NoCalls } from "./list/no-calls.tsx";

const PAGE = 200;

const WINDOWS = [
  ["60000", "1 min"],
  ["600000", "10 min"],
  ["3600000", "1 h"],
] as const;

const SHOWN = [
  ["all", "All"],
  ["open", "Open"],
  ["failed", "Failed"],
  ["denied", "Denied"],
  ["unsuccessful", "Failed or denied"],
] as const;

type Outcomes = "failed_not_denied" | "DENIED" | "failed";

const OUTCOMES: Readonly<Partial<Record<(typeof SHOWN)[number][0], Outcomes>>> = {
  failed: "failed_not_denied",
  denied: "DENIED",
  unsuccessful: "failed",
};

const FOLDERS = [
  ["this", "This folder"],
  ["every", "Every folder"],
] as const;

/** Live and earlier calls: a timeline of the last ones, and the list of all. */
export function CallsPage(): ReactNode {
  const [text, setText] = useAddressed("text", "");
  const [filter, setShown] = useAddressed("show", "all", valuesOf(SHOWN));
  const [windowMs, setWindowMs] = useAddressed("window", "600000", valuesOf(WINDOWS));
  const [folders, setFolders] = useAddressed("folders", "this", valuesOf(FOLDERS));
  const filters = useFilters();
  const nameOf = useSessionNames();
  const { columns, menu } = useColumnChoice(nameOf);
  const [from, setFrom] = useAddressed("from", "");
  const [to, setTo] = useAddressed("to", "");
  const time = timeRangeOf(from, to);
  const outcome = OUTCOMES[filter];
  const search = useSettled(text);
  const all = folders === "every";
  const latest = useRead("calls", { limit: PAGE, all });
  const query = {
    all,
    ...(search !== "" && { text: search }),
    ...(filter === "open" && { state: "open" as const }),
    ...(outcome !== undefined && { outcome }),
    ...filters.query,
    ...time,
  };
  return (
    <div className="page">
      <PageHead title="Calls" about="Every call of a tool, as it runs and afterwards.">
        <Segments label="Time shown" options={WINDOWS} value={windowMs} onChange={setWindowMs} />
      </PageHead>
      <CallsOverTime calls={latest.data?.calls ?? []} windowMs={Number(windowMs)} />
      <div className="row">
        <SearchBox label="Search tools, inputs and answers" value={text} onChange={setText} />
        <Segments label="Calls shown" options={SHOWN} value={filter} onChange={setShown} />
        <Segments label="Folders shown" options={FOLDERS} value={folders} onChange={setFolders} />
        <FilterMenu filters={filters} />
        {menu}
        <ExportMenu query={query} />
        <SaveView />
        <FilterChips filters={filters} nameOf={nameOf} />
        {(time.from !== undefined || time.to !== undefined) && (
          <Chip
            text={`${time.from === undefined ? "the first" : timeOf(time.from)} – ${time.to === undefined ? "now" : timeOf(time.to)}`}
            remove={() => {
              setFrom("");
              setTo("");
            }}
          />
        )}
      </div>
      <CallList key={JSON.stringify(query)} query={query} columns={columns} />
    </div>
  );
}

type Filter = {
  readonly all: boolean;
  readonly text?: string;
  readonly state?: "open";
  readonly outcome?: Outcomes;
  readonly from?: number;
  readonly to?: number;
} & CallFilters["query"];

/** The calls page by page. New calls are read at once while the first page is all that is shown, and announced otherwise. */
function CallList({
  query,
  columns,
}: {
  readonly query: Filter;
  readonly columns: readonly Column<Call>[];
}): ReactNode {
  const key = ["call-pages", query] as const;
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      read("calls", { ...query, limit: PAGE, ...(pageParam !== "" && { before: pageParam }) }, signal),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const rows = useMemo(() => data?.pages.flatMap(({ calls }) => calls) ?? [], [data]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  // A part of the journal was searched, and has none.
  const isSearching = rows.length === 0 && hasNextPage;
  useEffect(() => {
    if (isSearching) more();
  }, [isSearching, more]);
  const shownCall = useShownCall();
  const { fresh, showFresh } = useFresh(key, data?.pages.length ?? 0);
  if (pages.isPending) return <Loading what="calls" />;
  if (pages.isError) return <Failed error={pages.error} retry={pages.refetch} />;
  if (isSearching) return <Loading what="older calls" />;
  if (rows.length === 0) return <NoCalls isFiltered={Object.keys(query).length > 1} />;
  return (
    <>
      {fresh > 0 && (
        <button type="button" className="button" onClick={showFresh}>
          Show {plural(fresh, "new call")}
        </button>
      )}
      <DataTable
        label="Calls"
        rows={rows}
        columns={columns}
        idOf={callKey}
        onEnd={more}
        maxHeight="60vh"
        open={(call) => showCall(callKey(call))}
        shown={shownCall}
        renderNarrow={(call) => <NarrowCall call={call} />}
      />
      <p className="small muted" role="status">
        {plural(rows.length, "call")} shown
        {isFetchingNextPage ? ", loading more…" : hasNextPage ? "; scroll for older ones" : ""}
      </p>
    </>
  );
}

/** Reads the first page again when calls begin or end; with more pages than one, counts the new calls instead. */
function useFresh(
  key: readonly unknown[],
  loaded: number,
): { readonly fresh: number; readonly showFresh: () => void } {
  const [fresh, setFresh] = useState(0);
  const [timer] = useState<{ id: number | undefined }>({ id: undefined });
  useEvents((event) => {
    const isNew =
      event.type === "call.received" || (event.type === "call.changed" && event.call.state === "open");
    if (
      !isNew &&
      event.type !== "call.answered" &&
      event.type !== "call.changed" &&
      event.type !== "call.started"
    )
      return;
    if (loaded > 1) {
      if (isNew) setFresh((count) => count + 1);
      return;
    }
    timer.id ??= window.setTimeout(() => {
      timer.id = undefined;
      void queries.invalidateQueries({ queryKey: key });
    }, 500);
  });
  return {
    fresh,
    showFresh: () => {
      setFresh(0);
      void queries.resetQueries({ queryKey: key });
    },
  };
}
