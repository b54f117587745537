import { lazy, type FunctionComponent, type LazyExoticComponent } from "react";
import { ApprovalsPage } from "../pages/approvals/approvals-page.tsx";
import { CallsPage } from "../pages/calls/calls-page.tsx";
import { OverviewPage } from "../pages/overview/overview-page.tsx";
import type { PageName } from "../ui/controls/needs.tsx";
import type { Page } from "./page.ts";

// Pages that need much code of their own are loaded on use.
const CallPage = page(async () => (await import("../pages/call/call-page.tsx")).CallPage);
const DiffPage = page(async () => (await import("../pages/call/diff-page.tsx")).DiffPage);
const ToolsPage = page(async () => (await import("../pages/tools/tools-page.tsx")).ToolsPage);
const ChatPage = page(async () => (await import("../pages/chat/chat-page.tsx")).ChatPage);
const SessionsPage = page(async () => (await import("../pages/sessions/sessions-page.tsx")).SessionsPage);
const AgentsPage = page(async () => (await import("../pages/sessions/agents-page.tsx")).AgentsPage);
const SourcesPage = page(async () => (await import("../pages/sources/sources-page.tsx")).SourcesPage);
const PolicyPage = page(async () => (await import("../pages/policy/policy-page.tsx")).PolicyPage);
const ChartsPage = page(async () => (await import("../pages/overview/charts-page.tsx")).ChartsPage);
const SandboxPage = page(async () => (await import("../pages/host/sandbox-page.tsx")).SandboxPage);
const FleetPage = page(async () => (await import("../pages/host/fleet-page.tsx")).FleetPage);

const WORK: readonly Page[] = [
  { path: "overview", title: "Overview", key: "v", render: () => <OverviewPage /> },
  {
    path: "calls",
    title: "Calls",
    key: "c",
    render: ([id, other]) => {
      if (id === undefined) return <CallsPage />;
      return other === undefined ? <CallPage id={id} key={id} /> : <DiffPage left={id} right={other} />;
    },
  },
  { path: "approvals", title: "Approvals", key: "a", render: ([id]) => <ApprovalsPage id={id} /> },
  { path: "chat", title: "Chat", key: "h", render: ([id]) => <ChatPage id={id} key={id} /> },
  { path: "sessions", title: "Sessions", key: "s", render: ([id]) => <SessionsPage id={id} /> },
  { path: "agents", title: "Agents", key: "n", render: () => <AgentsPage /> },
];

const SETUP: readonly Page[] = [
  { path: "tools", title: "Tools", key: "t", render: ([name]) => <ToolsPage name={name} /> },
  { path: "sources", title: "Sources", key: "o", render: ([name]) => <SourcesPage name={name} /> },
  { path: "policy", title: "Policy", key: "p", render: () => <PolicyPage /> },
];

const MACHINE: readonly Page[] = [
  { path: "charts", title: "Charts", key: "r", render: () => <ChartsPage /> },
  { path: "sandbox", title: "Sandbox", key: "b", render: () => <SandboxPage /> },
  { path: "fleet", title: "Fleet", key: "f", render: () => <FleetPage /> },
];

export const PAGES: readonly Page[] = [...WORK, ...SETUP, ...MACHINE];

/** The pages as the navigation shows them; the first group needs no heading. */
const GROUPS: Readonly<Record<string, readonly Page[]>> = {
  "": WORK,
  "Set-up": SETUP,
  Machine: MACHINE,
};

/** Returns those pages that the server has, in their groups; all until it has said which. */
export function groupsOf(names: readonly PageName[] | undefined): Readonly<Record<string, readonly Page[]>> {
  const groups = Object.entries(GROUPS).map(
    ([heading, pages]) =>
      [heading, pages.filter(({ path }) => names?.some((one) => one === path) !== false)] as const,
  );
  return Object.fromEntries(groups.filter(([, pages]) => pages.length > 0));
}

/** Returns a component that is loaded when it is rendered first. */
function page<P>(load: () => Promise<FunctionComponent<P>>): LazyExoticComponent<FunctionComponent<P>> {
  return lazy(async () => ({ default: await load().catch(notLoaded) }));
}

/** Throws what a person can act on: the browser names only the file. */
function notLoaded(cause: unknown): never {
  throw Object.assign(new Error("This page could not be loaded", { cause }), {
    hint: "the server does not run, or it was updated since this tab was opened: reload the tab",
  });
}
