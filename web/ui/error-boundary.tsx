import { Component, type ReactNode } from "react";
import { Failed } from "./states.tsx";

interface Props {
  readonly children: ReactNode;
}

/** Shows an error of the page itself, with a way to go on. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failed error={error} retry={() => this.setState({ error: undefined })} />;
  }
}
