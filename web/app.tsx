import {
  lazy,
  Suspense,
  useEffect,
  useState,
  type FunctionComponent,
  type LazyExoticComponent,
  type ReactNode,
} from "react";
import { followEvents, useConnection } from "./api/events.ts";
import { useRead, useRefresh } from "./api/queries.ts";
import { ApprovalsPage } from "./pages/approvals/approvals-page.tsx";
import { useApprovalNotices } from "./pages/approvals/notices.tsx";
import { CallsPage } from "./pages/calls/calls-page.tsx";
import {
  Badge,
  ErrorBoundary,
  linkTo,
  Loading,
  MayNot,
  Rights,
  shortId,
  Shortcuts,
  useGoKeys,
  useKeys,
  useRoute,
  useStored,
} from "./ui/index.ts";

interface Page {
  readonly path: string;
  readonly title: string;
  /** Pressed after `g`. */
  readonly key: string;
  readonly render: (path: readonly string[]) => ReactNode;
}

// Pages that need much code of their own are loaded on use.
const CallPage = page(async () => (await import("./pages/call/call-page.tsx")).CallPage);
const ToolsPage = page(async () => (await import("./pages/tools/tools-page.tsx")).ToolsPage);
const ChatPage = page(async () => (await import("./pages/chat/chat-page.tsx")).ChatPage);
const SessionsPage = page(async () => (await import("./pages/sessions/sessions-page.tsx")).SessionsPage);
const AgentsPage = page(async () => (await import("./pages/sessions/agents-page.tsx")).AgentsPage);
const SourcesPage = page(async () => (await import("./pages/sources/sources-page.tsx")).SourcesPage);
const PolicyPage = page(async () => (await import("./pages/policy/policy-page.tsx")).PolicyPage);
const ChartsPage = page(async () => (await import("./pages/host/charts-page.tsx")).ChartsPage);
const SandboxPage = page(async () => (await import("./pages/host/sandbox-page.tsx")).SandboxPage);
const FleetPage = page(async () => (await import("./pages/host/fleet-page.tsx")).FleetPage);

const WORK: readonly Page[] = [
  {
    path: "calls",
    title: "Calls",
    key: "c",
    render: ([id]) => (id === undefined ? <CallsPage /> : <CallPage id={id} key={id} />),
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

const PAGES = [...WORK, ...SETUP, ...MACHINE];

/** The console: navigation, and the page that the address names. */
export function App(): ReactNode {
  useEffect(followEvents, []);
  useRefresh();
  useApprovalNotices();
  const { path } = useRoute();
  const page = PAGES.find((one) => one.path === path[0]) ?? PAGES[0];
  const [isHelpShown, setHelpShown] = useState(false);
  useGoKeys(PAGES);
  useKeys({
    "?": () => setHelpShown(true),
    "/": () => document.querySelector<HTMLInputElement>("[data-search]")?.focus(),
  });
  const { data: state } = useRead("state");
  const waiting = state?.approvals ?? 0;
  const detail = path[1];
  useEffect(() => {
    const names = [...(detail === undefined ? [] : [shortId(detail)]), page?.title, "Toolwright"];
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${names.filter(Boolean).join(" · ")}`;
  }, [page, detail, waiting]);
  return (
    <Rights value={state?.rights}>
      <div className="shell">
        <a className="skip" href="#main" onClick={focusMain}>
          Skip to the content
        </a>
        <Sidebar current={page?.path} showHelp={() => setHelpShown(true)} />
        <main className="main" id="main" tabIndex={-1}>
          <LostBanner />
          <MayNot right="read" />
          <ErrorBoundary at={path.join("/")}>
            <Suspense fallback={<Loading what="the page" />}>{page?.render(path.slice(1))}</Suspense>
          </ErrorBoundary>
        </main>
        {isHelpShown && <Shortcuts pages={PAGES} close={() => setHelpShown(false)} />}
      </div>
    </Rights>
  );
}

function Sidebar({
  current,
  showHelp,
}: {
  readonly current: string | undefined;
  readonly showHelp: () => void;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { data: state } = useRead("state");
  const waiting = state?.approvals ?? 0;
  const badge = (path: string): ReactNode => {
    if (path === "approvals" && waiting > 0) return <Badge tone="accent">{waiting}</Badge>;
    return path === "calls" && (state?.openCalls ?? 0) > 0 ? <Badge>{state?.openCalls}</Badge> : null;
  };
  const links = (pages: readonly Page[]): ReactNode =>
    pages.map(({ path, title }) => (
      <a
        key={path}
        href={linkTo(path)}
        aria-current={path === current ? "page" : undefined}
        onClick={() => setOpen(false)}
      >
        {title} {badge(path)}
      </a>
    ));
  return (
    <header className={isOpen ? "sidebar open" : "sidebar"}>
      <a className="brand" href="#/calls" style={{ color: "inherit" }}>
        <Logo /> Toolwright
      </a>
      <button
        type="button"
        className="button menu-button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Menu {waiting > 0 && <Badge tone="accent">{waiting}</Badge>}
      </button>
      <nav className="nav" aria-label="Pages">
        {links(WORK)}
        <h2>Set-up</h2>
        {links(SETUP)}
        <h2>Machine</h2>
        {links(MACHINE)}
      </nav>
      <div className="sidebar-end">
        <Connected />
        {state !== undefined && (
          <p className="small muted clip" title={state.workspace.join(", ")}>
            {state.workspace[0]?.split("/").at(-1)} · mode {state.mode} · {state.version}
          </p>
        )}
        <div className="row">
          <ThemeButton />
          <button type="button" className="button compact plain" onClick={showHelp}>
            Keys <kbd>?</kbd>
          </button>
        </div>
      </div>
    </header>
  );
}

function Connected(): ReactNode {
  const connection = useConnection();
  const [tone, text] = {
    live: ["ok", "Live"],
    connecting: ["info", "Connecting…"],
    lost: ["warn", "Reconnecting…"],
    "logged-out": ["bad", "Logged out"],
  }[connection] as [string, string];
  return (
    <p className="connection" role="status">
      <span className={`dot ${tone}`} /> {text}
    </p>
  );
}

/** Says that what is shown may be old, and what to do. */
function LostBanner(): ReactNode {
  const connection = useConnection();
  if (connection === "logged-out")
    return (
      <div className="banner" role="alert">
        The server does not know this browser any more: its tokens were changed. <a href="/">Log in again</a>.
      </div>
    );
  if (connection !== "lost") return null;
  return (
    <div className="banner" role="alert">
      The server does not answer. What you see may be old; the page reconnects as soon as the server runs
      again: <code>toolwright serve</code>
    </div>
  );
}

const THEMES = { system: "System", light: "Light", dark: "Dark" } as const;
type Theme = keyof typeof THEMES;

function ThemeButton(): ReactNode {
  const [stored, setStored] = useStored("theme", "system");
  const theme: Theme = stored in THEMES ? (stored as Theme) : "system";
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  const names = Object.keys(THEMES) as Theme[];
  const next = names[(names.indexOf(theme) + 1) % names.length] ?? "system";
  return (
    <button
      type="button"
      className="button compact plain"
      onClick={() => setStored(next)}
      aria-label={`Theme: ${THEMES[theme]}. Change to ${THEMES[next]}`}
    >
      {THEMES[theme]}
    </button>
  );
}

function Logo(): ReactNode {
  return (
    <svg width="20" height="20" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="4" fill="var(--accent)" />
      <path d="M4 5h8M8 5v7" stroke="var(--on-accent)" strokeWidth="2" />
    </svg>
  );
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

/** A link to `#main` would change the route. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#main")?.focus();
}
