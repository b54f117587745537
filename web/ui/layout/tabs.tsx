import { useId, useRef, type ReactNode } from "react";
import { useAddressed } from "../address/hooks.ts";

/** Tabs of which one panel is shown, which is in the address; arrow keys move between them. */
export function Tabs(props: {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly render: () => ReactNode }[];
}): ReactNode {
  const id = useId();
  // A name may end with a count, which changes.
  const keyOf = (name = ""): string =>
    name
      .replace(/ \(.*$/, "")
      .toLowerCase()
      .replaceAll(" ", "-");
  const [chosen, choose] = useAddressed("tab", keyOf(props.tabs[0]?.name));
  const setChosen = (name: string | undefined): void => choose(keyOf(name));
  const buttons = useRef<HTMLDivElement>(null);
  const index = Math.max(
    0,
    props.tabs.findIndex(({ name }) => keyOf(name) === chosen),
  );
  const move = (by: number): void => {
    const next = (index + by + props.tabs.length) % props.tabs.length;
    setChosen(props.tabs[next]?.name);
    (buttons.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div className="stack">
      <div
        className="tabs"
        role="tablist"
        aria-label={props.label}
        ref={buttons}
        onKeyDown={({ key }) => {
          if (key === "ArrowRight") move(1);
          if (key === "ArrowLeft") move(-1);
        }}
      >
        {props.tabs.map(({ name }, at) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${at}`}
            aria-selected={at === index}
            aria-controls={`${id}-panel`}
            tabIndex={at === index ? 0 : -1}
            onClick={() => setChosen(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${index}`} className="stack">
        {props.tabs[index]?.render()}
      </div>
    </div>
  );
}
