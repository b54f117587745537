import type { Right } from "../../config/access/http-tokens.ts";

/** The pages of the console. */
export const PAGE_NAMES = [
  "overview",
  "calls",
  "approvals",
  "chat",
  "sessions",
  "agents",
  "tools",
  "sources",
  "policy",
  "charts",
  "sandbox",
  "fleet",
] as const;
export type PageName = (typeof PAGE_NAMES)[number];

/** A page has something to show to those with one of the rights. */
export const PAGE_RIGHTS: Readonly<Record<PageName, readonly Right[]>> = {
  overview: ["read"],
  calls: ["read", "own"],
  approvals: ["read", "own"],
  chat: ["read"],
  sessions: ["read"],
  agents: ["read"],
  tools: ["read", "call"],
  sources: ["read"],
  policy: ["read"],
  charts: ["read"],
  sandbox: ["read"],
  fleet: ["read"],
};
