import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState, type MouseEvent, type ReactNode } from "react";
import { useKeys, useMatches } from "../address/hooks.ts";

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});

export interface Column<Row> {
  readonly title: string;
  /** Width, as a track of a CSS grid. */
  readonly width: string;
  readonly render: (row: Row) => ReactNode;
  /** The value to sort by; without it the column cannot be sorted. */
  readonly sortBy?: (row: Row) => string | number;
  /** Not shown on narrow screens. */
  readonly isWide?: boolean;
  readonly isNumber?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  /** Rows wrap and are all rendered. Default: rows of one line, of which only the visible ones are rendered. */
  readonly wraps?: boolean;
  /** Called when the end of the rows comes into view. */
  readonly onEnd?: () => void;
  readonly maxHeight?: string;
  /** Opens a row: by a click anywhere on it, and by Enter on the one that `j` and `k` move to. */
  readonly open?: (row: Row) => void;
  /** The id of the row that is open beside the table: `j` and `k` open the next and the last one. */
  readonly shown?: string | undefined;
  /** A row on two lines, in place of columns in a narrow window. */
  readonly renderNarrow?: (row: Row) => ReactNode;
}

const ROW_HEIGHT = 32;
const NARROW_HEIGHT = 52;

/** A table that renders only the rows in view, so that any number of rows is fast. */
export function DataTable<Row extends object>(props: TableProps<Row>): ReactNode {
  const { rows, idOf, wraps = false } = props;
  const isNarrow = useMatches("(max-width: 40rem)") && props.renderNarrow !== undefined;
  const columns = isNarrow ? [narrowColumn(props.label, props.renderNarrow)] : props.columns;
  const rowHeight = isNarrow ? NARROW_HEIGHT : ROW_HEIGHT;
  const box = useRef<HTMLDivElement>(null);
  const table = useTable({
    features,
    columns: useColumns(props.columns),
    data: rows,
    getRowId: (row: Row) => idOf(row),
    sortDescFirst: false,
  });
  const sorted = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => sorted[index]?.id ?? index,
    enabled: !wraps,
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { onEnd, open } = props;
  const chosen = useChosenRow(
    sorted.map(({ original }) => original),
    { open, show: virtual.scrollToIndex, shown: sorted.findIndex(({ id }) => id === props.shown) },
  );
  useEffect(() => {
    if (!wraps && sorted.length > 0 && last >= sorted.length - 20) onEnd?.();
  }, [wraps, last, sorted.length, onEnd]);
  const cellsOf = (row: Row): ReactNode =>
    columns.map((column) => (
      <div key={column.title} role="cell" className={classOf(column)}>
        {column.render(row)}
      </div>
    ));
  return (
    <div
      className="table panel"
      role="table"
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      ref={box}
      style={{ ...tracksOf(columns), maxHeight: props.maxHeight }}
    >
      <div role="rowgroup" className="head">
        <div role="row">
          {table.getHeaderGroups()[0]?.headers.map(({ column }, index) => (
            <Header
              key={column.id}
              column={columns[index]}
              direction={column.getIsSorted()}
              sort={column.getCanSort() ? () => column.toggleSorting() : undefined}
            />
          ))}
        </div>
      </div>
      {wraps ? (
        <div role="rowgroup">
          {sorted.map((row) => (
            <div key={row.id} role="row" className="body-row wraps">
              {cellsOf(row.original)}
            </div>
          ))}
        </div>
      ) : (
        <div role="rowgroup" className="virtual" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              className={open === undefined ? "body-row" : "body-row opens"}
              aria-current={index === chosen || undefined}
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              onClick={(event) => {
                const row = sorted[index]?.original;
                if (row !== undefined && !isOwnTarget(event)) open?.(row);
              }}
            >
              {sorted[index] !== undefined && cellsOf(sorted[index].original)}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

interface RowKeys<Row> {
  readonly open: ((row: Row) => void) | undefined;
  readonly show: (index: number) => void;
  /** The row that is open; -1 if none is. */
  readonly shown: number;
}

/** Returns the index of the row that is open or that `j` and `k` moved to; Enter opens it. */
function useChosenRow<Row>(rows: readonly Row[], { open, show, shown }: RowKeys<Row>): number | undefined {
  const [moved, setMoved] = useState<number>();
  const chosen = shown === -1 ? moved : shown;
  const openAt = (index: number | undefined): void => {
    const row = index === undefined ? undefined : rows[index];
    if (row !== undefined) open?.(row);
  };
  const move = (steps: number): void => {
    const next = Math.min(Math.max((chosen ?? (steps > 0 ? -1 : 1)) + steps, 0), rows.length - 1);
    setMoved(next);
    show(next);
    if (shown !== -1) openAt(next);
  };
  useKeys(open === undefined ? {} : { j: () => move(1), k: () => move(-1), Enter: () => openAt(chosen) });
  return chosen;
}

function narrowColumn<Row>(title: string, render: (row: Row) => ReactNode = () => null): Column<Row> {
  return { title, width: "minmax(0, 1fr)", render };
}

/** True for a click on a link of the row, and for the end of a selection of text. */
function isOwnTarget({ target }: MouseEvent): boolean {
  const isLink = target instanceof Element && target.closest("a, button") !== null;
  return isLink || window.getSelection()?.isCollapsed === false;
}

function useColumns<Row extends object>(
  columns: readonly Column<Row>[],
): ReturnType<ReturnType<typeof createColumnHelper<typeof features, Row>>["columns"]> {
  return useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return helper.columns(
      columns.map(({ title, sortBy }) =>
        helper.accessor((row) => sortBy?.(row), {
          id: title,
          header: title,
          enableSorting: sortBy !== undefined,
        }),
      ),
    );
  }, [columns]);
}

interface HeaderProps<Row> {
  readonly column: Column<Row> | undefined;
  readonly direction: false | "asc" | "desc";
  readonly sort: (() => void) | undefined;
}

function Header<Row>(props: HeaderProps<Row>): ReactNode {
  const { column, direction, sort } = props;
  if (column === undefined) return null;
  const sorted = { asc: "ascending", desc: "descending", none: "none" } as const;
  const order = direction === false ? "none" : direction;
  return (
    <div
      role="columnheader"
      className={classOf(column)}
      aria-sort={sort === undefined ? undefined : sorted[order]}
    >
      {sort === undefined ? (
        column.title
      ) : (
        <button type="button" className="sort" onClick={sort}>
          {column.title} <span aria-hidden="true">{{ asc: "↑", desc: "↓", none: "" }[order]}</span>
        </button>
      )}
    </div>
  );
}

function classOf<Row>({ isWide, isNumber }: Column<Row>): string {
  return [isWide === true ? "wide" : "", isNumber === true ? "number" : ""].join(" ").trim();
}

function tracksOf<Row>(columns: readonly Column<Row>[]): Record<string, string> {
  const tracks = (of: readonly Column<Row>[]): string => of.map(({ width }) => width).join(" ");
  return {
    "--columns": tracks(columns),
    "--narrow-columns": tracks(columns.filter(({ isWide }) => isWide !== true)),
  };
}
