import { useEffect, useRef, useState, type ReactNode } from "react";

interface MenuProps {
  readonly label: ReactNode;
  /** What opens below the button. */
  readonly children: ReactNode;
}

/** Of the box, in pixels. */
const WIDEST = 352;

/** A button and a box that opens below it; Escape or a click elsewhere closes it. */
export function Menu({ label, children }: MenuProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [isAtRight, setAtRight] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const toggle = (): void => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    setAtRight(left + WIDEST > window.innerWidth);
    setOpen(!isOpen);
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    const pressed = ({ target }: PointerEvent): void => {
      if (target instanceof Node && box.current?.contains(target) !== true) setOpen(false);
    };
    window.addEventListener("pointerdown", pressed);
    return () => window.removeEventListener("pointerdown", pressed);
  }, [isOpen]);
  return (
    <div
      className="menu"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        box.current?.querySelector("button")?.focus();
      }}
    >
      <button type="button" className="button" aria-expanded={isOpen} onClick={toggle}>
        {label}
      </button>
      {isOpen && <div className={`menu-box panel padded${isAtRight ? " at-right" : ""}`}>{children}</div>}
    </div>
  );
}
