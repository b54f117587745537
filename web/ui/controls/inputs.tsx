import type { ReactNode } from "react";

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  /** True: it only shows the value. */
  readonly isFixed?: boolean;
}

/** Returns the values of the options. */
export function valuesOf<T extends string>(options: SegmentsProps<T>["options"]): readonly T[] {
  return options.map(([value]) => value);
}

/** A choice of one among a few, as a row of buttons. */
export function Segments<T extends string>(props: SegmentsProps<T>): ReactNode {
  return (
    <div className="segments" role="group" aria-label={props.label}>
      {props.options.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          disabled={props.isFixed === true}
          onClick={() => props.onChange(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchBox(props: SearchBoxProps): ReactNode {
  return (
    <input
      className="search"
      type="search"
      data-search=""
      placeholder={`${props.label}  ( / )`}
      aria-label={props.label}
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
    />
  );
}
