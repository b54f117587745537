import "./style/style.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, StrictMode, Suspense, useEffect, useState, type MouseEvent, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { followEvents, useConnection } from "./api/events.ts";
import { queries, useRead } from "./api/queries.ts";
import { useRefresh } from "./api/refresh.ts";
import { Rights } from "./api/rights.ts";
import { useApprovalNotices } from "./pages/approvals/notices.tsx";
import { groupsOf, PAGES } from "./shell/pages.tsx";
import { Palette, usePaletteKey } from "./shell/palette.tsx";
import { Sidebar } from "./shell/sidebar.tsx";
import { callOfLink, showCall, useShownCall } from "./ui/address/shown-call.ts";
import { ErrorBoundary } from "./ui/layout/error-boundary.tsx";
import { Loading } from "./ui/layout/states.tsx";
import { MayNot, PageNames } from "./ui/controls/needs.tsx";
import { shortId } from "./ui/values/format.ts";
import { Shortcuts, useGoKeys } from "./ui/address/shortcuts.tsx";
import { useKeys, useRoute } from "./ui/address/hooks.ts";

const CallDrawer = lazy(async () => ({
  default: (await import("./pages/call/call-drawer.tsx")).CallDrawer,
}));

const root = document.querySelector("#root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={queries}>
          <Console />
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  );

/** The console: navigation, and the page that the address names. */
function Console(): ReactNode {
  useEffect(followEvents, []);
  useRefresh();
  useApprovalNotices();
  const { path } = useRoute();
  const [isHelpShown, setHelpShown] = useState(false);
  const [isPaletteShown, setPaletteShown] = useState(false);
  const { data: state } = useRead("state");
  const groups = groupsOf(state?.pages);
  const pages = Object.values(groups).flat();
  // What can be read and which page is the first depends on what the person may do.
  const page = state && (PAGES.find((one) => one.path === path[0]) ?? pages[0]);
  useGoKeys(pages);
  useKeys({
    "?": () => setHelpShown(true),
    "/": () => document.querySelector<HTMLInputElement>("[data-search]")?.focus(),
  });
  usePaletteKey(() => setPaletteShown(true));
  const shownCall = useShownCall();
  const waiting = state?.approvals ?? 0;
  const detail = path[1];
  useEffect(() => {
    const names = [...(detail === undefined ? [] : [shortId(detail)]), page?.title, "Toolwright"];
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${names.filter(Boolean).join(" · ")}`;
  }, [page, detail, waiting]);
  return (
    <Rights value={state?.rights}>
      <PageNames value={state?.pages}>
        <div className="shell" onClick={openBeside}>
          <a className="skip" href="#main" onClick={focusMain}>
            Skip to the content
          </a>
          <Sidebar
            groups={groups}
            current={page?.path}
            showHelp={() => setHelpShown(true)}
            showPalette={() => setPaletteShown(true)}
          />
          <main className="main" id="main" tabIndex={-1}>
            <LostBanner />
            {!pages.some((one) => one.path === page?.path) && <MayNot right="read" />}
            <ErrorBoundary at={path.join("/")}>
              <Suspense fallback={<Loading what="the page" />}>
                {page === undefined ? <Loading what="the page" /> : page.render(path.slice(1))}
              </Suspense>
            </ErrorBoundary>
          </main>
          {shownCall !== undefined && (
            <ErrorBoundary at={shownCall}>
              <Suspense fallback={null}>
                <CallDrawer id={shownCall} />
              </Suspense>
            </ErrorBoundary>
          )}
          {isHelpShown && <Shortcuts pages={pages} close={() => setHelpShown(false)} />}
          {isPaletteShown && <Palette pages={pages} close={() => setPaletteShown(false)} />}
        </div>
      </PageNames>
    </Rights>
  );
}

/** Opens the call of a plain click on a link beside the page; the link itself leads to the page of the call. */
function openBeside(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const key = callOfLink(link?.getAttribute("href") ?? "");
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (key === undefined || !isPlain || event.defaultPrevented || link?.dataset["page"] !== undefined) return;
  event.preventDefault();
  showCall(key);
}

/** Says that what is shown may be old, and what to do. */
function LostBanner(): ReactNode {
  const connection = useConnection();
  if (connection === "logged-out")
    return (
      <div className="banner" role="alert">
        This browser is not logged in any more: you have logged out, the login has ended, or the tokens were
        changed. <a href="/">Log in again</a>.
      </div>
    );
  if (connection !== "lost") return null;
  return (
    <div className="banner" role="alert">
      The server does not answer. What you see may be old; the page reconnects as soon as the server runs
      again.
    </div>
  );
}

/** A link to `#main` would change the route. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#main")?.focus();
}
