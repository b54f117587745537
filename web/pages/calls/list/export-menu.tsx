import type { ReactNode } from "react";
import { Menu } from "../../../ui/layout/menu.tsx";

const FORMATS = [
  ["jsonl", "JSON lines", "everything that is recorded, one call a line"],
  ["otlp", "OpenTelemetry", "spans, as OTLP in JSON"],
  ["html", "A page", "with a chart and filters, without other files"],
] as const;

/** The newest calls, at most. */
const MOST = 100_000;

/** Saves the calls that the list shows, in one of the formats of `toolwright trace export`. */
export function ExportMenu({
  query,
}: {
  readonly query: Readonly<Record<string, string | number | boolean>>;
}): ReactNode {
  const address = (format: string): string => {
    const values = Object.entries({ ...query, format, limit: MOST }).map(([name, value]) => [
      name,
      String(value),
    ]);
    return `/api/trace?${new URLSearchParams(values).toString()}`;
  };
  return (
    <Menu label="Export">
      <ul className="list">
        {FORMATS.map(([format, title, about]) => (
          <li key={format}>
            <a
              className="item"
              href={address(format)}
              download={`calls.${format === "otlp" ? "json" : format}`}
            >
              <strong>{title}</strong>
              <span className="small muted">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
