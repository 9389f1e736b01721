import { Component, type ErrorInfo, type ReactNode } from 'react';
import { CrashPage } from './crash-page.tsx';

interface State {
  error: unknown;
  where: string;
}

/** Catches what a screen throws while it is drawn; React offers this to classes only. */
export class CrashBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null, where: '' };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error('unknown') };
  }

  override componentDidCatch(_error: unknown, info: ErrorInfo): void {
    this.setState({ where: info.componentStack ?? '' });
  }

  override render(): ReactNode {
    const { error, where } = this.state;
    return error === null ? this.props.children : <CrashPage error={error} where={where} />;
  }
}
