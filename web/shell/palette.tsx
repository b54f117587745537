import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useRead } from "../api/queries.ts";
import { callKey } from "../../src/util/text/call-key.ts";
import { Icon, type IconName } from "../ui/controls/icon.tsx";
import { linkTo, useSettled, useStored } from "../ui/address/hooks.ts";
import { savedViews } from "../ui/address/saved-views.ts";
import type { Page } from "./page.ts";

interface Choice {
  readonly icon: IconName;
  readonly text: string;
  readonly hint: string;
  readonly run: () => void;
}

const MOST = 7;

/** Opens the palette on Ctrl-K, also while the person types. */
export function usePaletteKey(open: () => void): void {
  const current = useRef(open);
  useEffect(() => {
    current.current = open;
  });
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      current.current();
    };
    window.addEventListener("keydown", pressed, { capture: true });
    return () => window.removeEventListener("keydown", pressed, { capture: true });
  }, []);
}

/** Finds pages, saved views, tools, sessions, calls and actions by a few letters. */
export function Palette({
  pages,
  close,
}: {
  readonly pages: readonly Page[];
  readonly close: () => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [index, setIndex] = useState(0);
  const choices = useChoices(text, pages);
  const list = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const chosen = Math.min(index, choices.length - 1);
  const run = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    dialog.current?.close();
    choice.run();
  };
  const pressed = (event: KeyboardEvent): void => {
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (steps !== undefined) setIndex(Math.min(Math.max(chosen + steps, 0), choices.length - 1));
    else if (event.key === "Enter") run(choices[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} className="palette" onClose={close} aria-label="Find">
      <input
        role="combobox"
        aria-label="Find pages, tools, sessions, calls and actions"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={choices[chosen] === undefined ? undefined : `${list}-${chosen}`}
        placeholder="Find a page, tool, session, call or action"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setIndex(0);
        }}
        onKeyDown={pressed}
      />
      <ul id={list} role="listbox" aria-label="Found">
        {choices.map((choice, place) => (
          <li
            key={`${choice.hint} ${choice.text}`}
            id={`${list}-${place}`}
            role="option"
            aria-selected={place === chosen}
            onPointerMove={() => setIndex(place)}
            onClick={() => run(choice)}
          >
            <Icon name={choice.icon} />
            <span className="clip">{choice.text}</span>
            <span className="small muted">{choice.hint}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p className="muted">No match.</p>}
    </dialog>
  );
}

function useChoices(text: string, pages: readonly Page[]): readonly Choice[] {
  const search = useSettled(text.trim(), 150);
  const { data: tools } = useRead("tools", {});
  const { data: sessions } = useRead("sessions");
  const { data: calls } = useRead("calls", {
    limit: MOST,
    all: true,
    ...(search !== "" && { text: search }),
  });
  const [, setTheme] = useStored("theme", "system");
  const go = (address: string) => () => void (window.location.hash = address);
  const match = (choices: readonly Choice[]): readonly Choice[] =>
    choices.filter((one) => isMatch(`${one.text} ${one.hint}`, text)).slice(0, MOST);
  const isTyped = text.trim() !== "";
  return [
    ...match(
      pages.map(({ path, title, key }) => ({
        icon: path,
        text: title,
        hint: `page · g ${key}`,
        run: go(linkTo(path)),
      })),
    ),
    ...match(
      savedViews().map(({ name, address }) => ({
        icon: "search",
        text: name,
        hint: "saved view",
        run: go(address),
      })),
    ),
    ...match([
      ...(pages.some(({ path }) => path === "chat")
        ? [{ icon: "chat" as const, text: "Start a chat", hint: "action", run: go(linkTo("chat")) }]
        : []),
      {
        icon: "calls",
        text: "Show failed calls of every folder",
        hint: "action",
        run: go("#/calls?show=failed&folders=every"),
      },
      ...(["light", "dark", "system"] as const).map((theme) => ({
        icon: theme,
        text: `Theme: ${theme}`,
        hint: "action",
        run: () => setTheme(theme),
      })),
    ]),
    ...(isTyped
      ? match(
          (tools?.tools ?? []).map(({ name, source }) => ({
            icon: "tools",
            text: name,
            hint: `tool · ${source}`,
            run: go(linkTo("tools", name)),
          })),
        )
      : []),
    ...match(
      (sessions?.sessions ?? []).map(({ id, title }) => ({
        icon: "sessions",
        text: title === "" ? "Untitled" : title,
        hint: `session · ${id.slice(-8)}`,
        run: go(linkTo("sessions", id)),
      })),
    ),
    // While the person types, the calls are those of an earlier text: Enter would open one of them.
    ...(isTyped && search === text.trim()
      ? (calls?.calls ?? []).map((call) => ({
          icon: "call" as const,
          text: `${call.name}  ${call.summary}`,
          hint: `call · ${new Date(call.receivedAt).toLocaleTimeString()}`,
          run: go(linkTo("calls", callKey(call))),
        }))
      : []),
  ];
}

/** True if the words of the search occur in the text. */
function isMatch(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
