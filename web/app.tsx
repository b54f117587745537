import { Suspense, useEffect, useState, type ReactNode } from "react";
import { followEvents, useConnection } from "./api/events.ts";
import { useRead, useRefresh } from "./api/queries.ts";
import { useApprovalNotices } from "./pages/approvals/notices.tsx";
import { groupsOf, PAGES } from "./shell/pages.tsx";
import { Palette, usePaletteKey } from "./shell/palette.tsx";
import { Sidebar } from "./shell/sidebar.tsx";
import {
  ErrorBoundary,
  Loading,
  MayNot,
  PageNames,
  Rights,
  shortId,
  Shortcuts,
  useGoKeys,
  useKeys,
  useRoute,
} from "./ui/index.ts";

/** The console: navigation, and the page that the address names. */
export function App(): ReactNode {
  useEffect(followEvents, []);
  useRefresh();
  useApprovalNotices();
  const { path } = useRoute();
  const page = PAGES.find((one) => one.path === path[0]) ?? PAGES[0];
  const [isHelpShown, setHelpShown] = useState(false);
  const [isPaletteShown, setPaletteShown] = useState(false);
  const { data: state } = useRead("state");
  const groups = groupsOf(state?.pages);
  const pages = Object.values(groups).flat();
  useGoKeys(pages);
  useKeys({
    "?": () => setHelpShown(true),
    "/": () => document.querySelector<HTMLInputElement>("[data-search]")?.focus(),
  });
  usePaletteKey(() => setPaletteShown(true));
  const waiting = state?.approvals ?? 0;
  const detail = path[1];
  useEffect(() => {
    const names = [...(detail === undefined ? [] : [shortId(detail)]), page?.title, "Toolwright"];
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${names.filter(Boolean).join(" · ")}`;
  }, [page, detail, waiting]);
  return (
    <Rights value={state?.rights}>
      <PageNames value={state?.pages}>
        <div className="shell">
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
            <MayNot right="read" />
            <ErrorBoundary at={path.join("/")}>
              <Suspense fallback={<Loading what="the page" />}>{page?.render(path.slice(1))}</Suspense>
            </ErrorBoundary>
          </main>
          {isHelpShown && <Shortcuts pages={pages} close={() => setHelpShown(false)} />}
          {isPaletteShown && <Palette pages={pages} close={() => setPaletteShown(false)} />}
        </div>
      </PageNames>
    </Rights>
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
      again.
    </div>
  );
}

/** A link to `#main` would change the route. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#main")?.focus();
}
