import { type DiagnosticMessage, say } from '../../i18n/diagnostics.ts';
import type { ProjectIndex } from '../project-index/project-facts.ts';
import type { Finding, Reference } from '../syntax/line-report.ts';

/** Adds the findings of one reference to `findings`; `line` is the text of its line. */
export type Resolver = (reference: Reference, index: ProjectIndex, findings: Finding[], line: string) => void;

/** The columns of a reference, at least one wide. */
export const span = (reference: Reference) => ({
  start: reference.start,
  end: Math.max(reference.end, reference.start + 1),
});

/** Suggests a name at the end of a message; empty without one. */
export const didYouMean = (name: string | undefined): DiagnosticMessage | '' =>
  name === undefined ? '' : say('notes.didYouMean', { near: name });
