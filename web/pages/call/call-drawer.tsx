import { useEffect, useRef, type ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import { closeCall } from "../../ui/address/shown-call.ts";
import { Failed, Loading } from "../../ui/layout/states.tsx";
import { linkTo, useKeys } from "../../ui/address/hooks.ts";
import { PhaseBar } from "../../ui/charts/waterfall.tsx";
import { readCallKey } from "../../../src/util/text/call-key.ts";
import { CallHead } from "./call-head.tsx";
import { CallFacts, CallTexts } from "./call-page.tsx";

/** A call beside the page that it was opened from. */
export function CallDrawer({ id }: { readonly id: string }): ReactNode {
  const { callId = id, receivedAt: at } = readCallKey(id) ?? {};
  const { data, error, refetch } = useRead("call", { callId, ...(at !== undefined && { at }) });
  const box = useFocusWhileShown();
  useKeys({ Escape: closeCall });
  return (
    <aside className="drawer" aria-label="Call" tabIndex={-1} ref={box}>
      <div className="drawer-bar">
        <a className="button compact" href={linkTo("calls", id)} data-page="">
          Open as page
        </a>
        <span className="small muted">
          <kbd>j</kbd> <kbd>k</kbd> next and previous
        </span>
        <button type="button" className="button compact plain" onClick={closeCall}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
      {error !== null && <Failed error={error} retry={refetch} />}
      {error === null && data === undefined && <Loading what="the call" />}
      {error === null && data !== undefined && (
        <div className="drawer-body" key={id}>
          <CallHead detail={data} level={2} />
          {data.phases.length > 0 && <PhaseBar phases={data.phases} isFailed={data.call.outcome !== "ok"} />}
          <CallTexts detail={data} />
          <CallFacts detail={data} />
        </div>
      )}
    </aside>
  );
}

/** Moves the focus to the drawer, so that Tab goes on in it, and back to where it was when the drawer closes. */
function useFocusWhileShown() {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return box;
}
