import { Component, type ReactNode } from 'react';
import Markdown, { type Options } from 'react-markdown';
import { isDeeplyNested, remarkShallow } from './nesting.ts';

/**
 * Markdown of the assistant, a game or a service. What is nested too deeply, and what cannot be drawn, is shown as it is written: an
 * error would take the conversation with it, each time it is opened.
 */
export function ShallowMarkdown({
  children,
  remarkPlugins,
  ...options
}: Omit<Options, 'children'> & { children: string }) {
  const source = <pre>{children}</pre>;
  if (isDeeplyNested(children)) return source;
  return (
    <SourceBoundary text={children} source={source}>
      <Markdown {...options} remarkPlugins={[remarkShallow, ...(remarkPlugins ?? [])]}>
        {children}
      </Markdown>
    </SourceBoundary>
  );
}

interface SourceBoundaryProps {
  text: string;
  source: ReactNode;
  children: ReactNode;
}

class SourceBoundary extends Component<SourceBoundaryProps, { text: string; isBroken: boolean }> {
  override state = { text: this.props.text, isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  /** A text that goes on is tried again. */
  static getDerivedStateFromProps({ text }: SourceBoundaryProps, before: { text: string }) {
    return before.text === text ? null : { text, isBroken: false };
  }

  override render() {
    return this.state.isBroken ? this.props.source : this.props.children;
  }
}
