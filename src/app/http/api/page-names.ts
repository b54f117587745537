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
