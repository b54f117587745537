import { Fragment, useEffect, useState, type ReactNode } from "react";
import { useConnection } from "../api/events.ts";
import { logOut } from "../api/client.ts";
import { useChange, useRead } from "../api/queries.ts";
import { Badge } from "../ui/values/badge.tsx";
import { Icon } from "../ui/controls/icon.tsx";
import { Failed } from "../ui/layout/states.tsx";
import { linkTo, useStored } from "../ui/address/hooks.ts";
import type { Page } from "./page.ts";

interface SidebarProps {
  /** By their heading. */
  readonly groups: Readonly<Record<string, readonly Page[]>>;
  readonly current: string | undefined;
  readonly showHelp: () => void;
  readonly showPalette: () => void;
}

/** The navigation, the state of the server, and choices of this browser. */
export function Sidebar({ groups, current, showHelp, showPalette }: SidebarProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { data: state } = useRead("state");
  const waiting = state?.approvals ?? 0;
  const countOf = (path: string): ReactNode => {
    if (path === "approvals" && waiting > 0) return <Badge tone="accent">{waiting}</Badge>;
    const open = path === "calls" ? (state?.openCalls ?? 0) : 0;
    return open > 0 ? <span className="muted">{open}</span> : null;
  };
  const links = (pages: readonly Page[]): ReactNode =>
    pages.map(({ path, title }) => (
      <a
        key={path}
        href={linkTo(path)}
        aria-current={path === current ? "page" : undefined}
        onClick={() => setOpen(false)}
      >
        <Icon name={path} />
        <span className="clip">{title}</span> {countOf(path)}
      </a>
    ));
  return (
    <header className={isOpen ? "sidebar open" : "sidebar"}>
      <a className="brand" href={linkTo(Object.values(groups)[0]?.[0]?.path ?? "calls")}>
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
      {state !== undefined && (
        <a
          className="place"
          href={linkTo(state.mode === null ? "overview" : "policy")}
          title={state.workspace.join(", ")}
        >
          <strong className="clip">{state.workspace[0]?.split("/").at(-1) ?? "A program's engine"}</strong>
          <span className="small muted clip">
            {state.mode !== null && `mode ${state.mode} · `}
            {state.version}
          </span>
        </a>
      )}
      <button type="button" className="button find" onClick={showPalette}>
        <Icon name="search" /> <span>Find</span> <kbd>Ctrl K</kbd>
      </button>
      <nav className="nav" aria-label="Pages">
        {Object.entries(groups).map(([heading, pages]) => (
          <Fragment key={heading}>
            {heading !== "" && <h2>{heading}</h2>}
            {links(pages)}
          </Fragment>
        ))}
      </nav>
      <div className="sidebar-end">
        <Connected />
        {state !== undefined && <LogOut person={state.person} />}
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

/** Ends the login of this browser, here and at the provider that it came from. */
function LogOut({ person }: { readonly person: string | null }): ReactNode {
  const leave = useChange(async () => location.assign(await logOut()), []);
  return (
    <div className="row">
      <span className="small muted clip">{person ?? "A token of the server"}</span>
      <button
        type="button"
        className="button compact plain"
        disabled={leave.isPending}
        onClick={() => leave.mutate(undefined)}
      >
        Log out
      </button>
      {leave.error !== null && <Failed error={leave.error} />}
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
  const label = `Theme: ${THEMES[theme]}. Change to ${THEMES[next]}`;
  return (
    <button
      type="button"
      className="button compact plain"
      onClick={() => setStored(next)}
      aria-label={label}
      title={label}
    >
      <Icon name={theme} />
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
