import { useEffect, useRef, type ReactNode } from "react";
import { goTo } from "./hooks.ts";

interface KeyedPage {
  readonly path: string;
  readonly title: string;
  readonly key: string;
}

/** How long after `g` the key of a page counts. */
const GO_MS = 1500;

/** Goes to a page on `g` and the key of the page. */
export function useGoKeys(pages: readonly KeyedPage[]): void {
  useEffect(() => {
    let pressedAt = -GO_MS;
    const pressed = (event: KeyboardEvent): void => {
      const { target, key } = event;
      if (target instanceof HTMLElement && target.matches("input, textarea, select")) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const page = pages.find((one) => one.key === key);
      if (page !== undefined && event.timeStamp - pressedAt < GO_MS) {
        event.preventDefault();
        event.stopImmediatePropagation();
        goTo(page.path);
      }
      pressedAt = key === "g" ? event.timeStamp : -GO_MS;
    };
    window.addEventListener("keydown", pressed, { capture: true });
    return () => window.removeEventListener("keydown", pressed, { capture: true });
  }, [pages]);
}

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["Ctrl+K", "find a page, tool, session, call or action"],
  ["/", "go to the search box"],
  ["?", "show this list"],
  ["j  k", "next and previous call or approval"],
  ["Enter", "open the chosen call"],
  ["a", "approve the shown call once"],
  ["d", "deny it"],
  ["e", "edit its input"],
  ["Ctrl+Enter", "send the message, run the tool"],
];

/** The list of keyboard shortcuts. */
export function Shortcuts(props: {
  readonly pages: readonly KeyedPage[];
  readonly close: () => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const rows = [...KEYS, ...props.pages.map(({ key, title }) => [`g ${key}`, `open ${title}`] as const)];
  return (
    <dialog ref={dialog} onClose={props.close} aria-labelledby="shortcuts">
      <div className="stack">
        <h2 id="shortcuts">Keyboard shortcuts</h2>
        <dl className="facts">
          {rows.map(([keys, does]) => (
            <div key={keys} style={{ display: "contents" }}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit" className="button">
            Close
          </button>
        </form>
      </div>
    </dialog>
  );
}
