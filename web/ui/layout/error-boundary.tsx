import { Component, type ReactNode } from "react";
import { Failed } from "./states.tsx";

interface Props {
  readonly children: ReactNode;
  /** An error is shown until this changes. */
  readonly at?: string;
}

interface State {
  readonly error: unknown;
  readonly at: string | undefined;
}

/** Shows an error of the page itself, with a way to go on. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, at: undefined };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps({ at }: Props, state: State): State | null {
    return at === state.at ? null : { error: undefined, at };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failed error={error} retry={() => this.setState({ error: undefined })} />;
  }
}
