import type { editor } from 'monaco-editor/editor';
import { type ComponentType, createContext, Suspense, use } from 'react';
import { useTranslation } from 'react-i18next';
import { Message } from './message.tsx';

export interface TextDiffProps {
  /** Processed with `toShownLines`; keeps the original line numbers. */
  before: string;
  after: string;
  language: string;
  /** Accessible label of the comparison. */
  label: string;
  /** True for two columns if there is enough space, else one column. */
  sideBySide?: boolean;
  /** Receives the editor after creation, for revealing lines; null on disposal. */
  onEditor?: (editor: editor.IStandaloneDiffEditor | null) => void;
}

/** Holds the component that draws a diff. `app.tsx` provides the one of the editor, loaded lazily. */
export const TextDiffContext = createContext<ComponentType<TextDiffProps> | null>(null);

/** A read-only diff of two texts. */
export function TextDiff(props: TextDiffProps) {
  const { t } = useTranslation();
  const Diff = use(TextDiffContext);
  if (!Diff) throw new Error('No component for diffs is provided.');
  return (
    <Suspense fallback={<Message text={t('common:loading')} />}>
      <Diff {...props} />
    </Suspense>
  );
}
