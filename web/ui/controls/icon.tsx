import type { ReactNode } from "react";

/** Lines of icons on a field of 16 by 16. */
const PATHS = {
  overview: "M2.5 8.5h4v5h-4zM2.5 2.5h4v3h-4zM9.5 2.5h4v5h-4zM9.5 10.5h4v3h-4z",
  calls: "M2.5 4h11M2.5 8h7M2.5 12h9",
  approvals: "M8 1.8l5 2v4c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.4v-4zM5.8 8l1.6 1.6 2.9-3.2",
  chat: "M2.5 3.5h11v8h-6l-3 2.5v-2.5h-2z",
  sessions: "M3 3.5h6.5M5.5 8H13M8.5 12.5H13",
  agents: "M8 2.5v3M4 10.5V8h8v2.5M8 5.5V8M2.8 10.5h2.4v2.8H2.8zM10.8 10.5h2.4v2.8h-2.4z",
  tools:
    "M10.2 2.6a3.4 3.4 0 0 0-3.5 4.6L2.6 11.3l2.1 2.1 4.1-4.1a3.4 3.4 0 0 0 4.6-3.5l-2 1.9-2.1-.5-.5-2.1z",
  sources: "M8 2.5l5.5 3L8 8.5l-5.5-3zM2.5 8L8 11l5.5-3M2.5 10.5l5.5 3 5.5-3",
  policy: "M8 2v12M4 14h8M3 4.5h10M3 4.5L1.3 9h3.4zM13 4.5L11.3 9h3.4z",
  charts: "M2.5 13.5h11M4 11V8M7 11V4.5M10 11V6.5M13 11V3",
  sandbox: "M8 2l5.5 3v6L8 14l-5.5-3V5zM2.5 5L8 8l5.5-3M8 8v6",
  fleet: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01",
  light:
    "M8 5.2A2.8 2.8 0 1 0 8 10.8 2.8 2.8 0 1 0 8 5.2M8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1",
  dark: "M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z",
  system: "M2.5 3h11v7.5h-11zM6 13.2h4M8 10.5v2.7",
  search: "M7 2.5A4.5 4.5 0 1 0 7 11.5 4.5 4.5 0 1 0 7 2.5M10.3 10.3L13.5 13.5",
  call: "M5.5 3.5L10 8l-4.5 4.5",
  attach:
    "M12.5 7.5L7.8 12.2a2.8 2.8 0 0 1-4-4l5.2-5.2a1.9 1.9 0 0 1 2.7 2.7L6.6 10.8a.9.9 0 0 1-1.3-1.3L9.8 5",
  run: "M5 3l7.5 5L5 13z",
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a text that says the same. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg
      className="icon"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
