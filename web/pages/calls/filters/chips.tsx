import { useState, type ReactNode } from "react";
import { removeView, saveView, savedViews } from "../../../ui/address/saved-views.ts";

/** A filter that came with the address, and how to drop it. */
export function Chip({ text, remove }: { readonly text: string; readonly remove: () => void }): ReactNode {
  return (
    <button
      type="button"
      className="button compact"
      onClick={remove}
      aria-label={`Remove the filter ${text}`}
    >
      {text} <span aria-hidden="true">×</span>
    </button>
  );
}

/** Gives the search and the filters a name, under which Ctrl-K finds them. */
export function SaveView(): ReactNode {
  const [name, setName] = useState<string>();
  const [views, setViews] = useState(savedViews);
  const saved = views.find(({ address }) => address === window.location.hash);
  if (saved !== undefined)
    return (
      <button
        type="button"
        className="button compact plain"
        onClick={() => {
          removeView(saved.name);
          setViews(savedViews());
        }}
      >
        Forget the view “{saved.name}”
      </button>
    );
  if (name === undefined)
    return (
      <button type="button" className="button compact plain" onClick={() => setName("")}>
        Save view…
      </button>
    );
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") saveView(name.trim());
        setViews(savedViews());
        setName(undefined);
      }}
    >
      <input
        autoFocus
        aria-label="Name of the view"
        placeholder="Name of the view"
        value={name}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={({ key }) => key === "Escape" && setName(undefined)}
      />
      <button type="submit" className="button compact">
        Save
      </button>
    </form>
  );
}
