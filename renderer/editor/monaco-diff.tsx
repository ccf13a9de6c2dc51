import { useComputedColorScheme } from '@mantine/core';
import type { editor } from 'monaco-editor/editor';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toShownLines } from '../../shared/text/shown-lines.ts';
import { SPELLED } from '../../shared/text/spelled-text.ts';
import { loadMonaco, type Monaco } from '../state/monaco/monaco.ts';
import { useSettings } from '../state/settings-store.ts';
import { Message } from '../ui/message.tsx';
import { toRunWords } from '../ui/text/run-words.ts';
import type { TextDiffProps } from '../ui/text-diff.tsx';
import classes from './monaco-diff.module.css';
import { TEXT_OPTIONS } from './text-options.ts';

const LINE_HEIGHT_RATIO = 22 / 14;
/** Tokenizing this many lines takes less than a frame. */
const MAX_LINES_AT_ONCE = 3000;

/**
 * Creates a model whose text is tokenized at once, unless it is long. Monaco draws removed lines without colours until it was
 * idle long enough to tokenize the whole text.
 */
function createTokenizedModel(monaco: Monaco, text: string, language: string): editor.ITextModel {
  const model = monaco.editor.createModel(text, language);
  const count = model.getLineCount();
  if (count <= MAX_LINES_AT_ONCE) monaco.editor.colorizeModelLine(model, count);
  return model;
}

/** A read-only Monaco diff; loads Monaco when the first diff is shown. */
export function MonacoDiff({ before, after, language, label, sideBySide = false, onEditor }: TextDiffProps) {
  const { t } = useTranslation();
  const scheme = useComputedColorScheme('light');
  const fontSize = useSettings((state) => state.settings.editorFontSize);
  const host = useRef<HTMLDivElement>(null);
  const [diff, setDiff] = useState<editor.IStandaloneDiffEditor | null>(null);
  const [isFailed, setFailed] = useState(false);

  useEffect(() => {
    diff?.updateOptions({
      renderSideBySide: sideBySide,
      fontSize,
      lineHeight: Math.round(fontSize * LINE_HEIGHT_RATIO),
      ariaLabel: label,
    });
  }, [diff, sideBySide, fontSize, label]);

  useEffect(() => {
    void loadMonaco().then((monaco) => monaco.editor.setTheme(`webgal-${scheme}`));
  }, [scheme]);

  useEffect(() => {
    if (!diff) return;
    let isGone = false;
    let dispose = () => {};
    void loadMonaco().then((monaco) => {
      if (isGone) return;
      const words = toRunWords(t);
      const [old, now] = [toShownLines(before, words), toShownLines(after, words)];
      const original = createTokenizedModel(monaco, old.text, language);
      const modified = monaco.editor.createModel(now.text, language);
      diff.setModel({ original, modified });
      const last = Math.max(old.lines.at(-1) ?? 1, now.lines.at(-1) ?? 1);
      // The last line number may have more digits than the number of shown lines.
      diff.updateOptions({ lineNumbersMinChars: Math.max(3, String(last).length) });
      numberLines(diff.getOriginalEditor(), before === '' ? [] : old.lines);
      numberLines(diff.getModifiedEditor(), after === '' ? [] : now.lines);
      for (const model of [original, modified]) markSpelled(model);
      dispose = () => {
        // On unmount, the editor was disposed earlier and has no model.
        if (diff.getModel()?.original === original) diff.setModel(null);
        original.dispose();
        modified.dispose();
      };
    });
    return () => {
      isGone = true;
      dispose();
    };
  }, [diff, before, after, language, t]);

  useEffect(() => {
    if (!diff || !onEditor) return;
    onEditor(diff);
    return () => onEditor(null);
  }, [diff, onEditor]);

  // Last, because cleanups run in this order: other effects must detach before the editor is disposed.
  useEffect(() => {
    let isGone = false;
    let made: editor.IStandaloneDiffEditor | undefined;
    loadMonaco()
      .then((monaco) => {
        if (isGone || !host.current) return;
        made = monaco.editor.createDiffEditor(host.current, {
          ...TEXT_OPTIONS,
          readOnly: true,
          originalEditable: false,
          automaticLayout: true,
          renderOverviewRuler: false,
          overviewRulerLanes: 0,
          overviewRulerBorder: false,
          folding: false,
          glyphMargin: false,
          lineNumbersMinChars: 3,
          lineDecorationsWidth: 18,
          minimap: { enabled: false },
          scrollBeyondLastLine: false,
          renderLineHighlight: 'none',
          wordWrap: 'on',
          diffWordWrap: 'on',
          hideUnchangedRegions: { enabled: true, contextLineCount: 4, minimumLineCount: 4 },
          renderSideBySideInlineBreakpoint: 720,
          padding: { top: 8, bottom: 8 },
        });
        setDiff(made);
      })
      .catch(() => setFailed(true));
    return () => {
      isGone = true;
      // Detach the models first: they are disposed later and must not be in use then.
      made?.setModel(null);
      made?.dispose();
      made = undefined;
      setDiff(null);
    };
  }, []);

  if (isFailed) return <Message tone="error" text={t('common:diffFailed')} />;
  return (
    <section className={classes.root} aria-label={label}>
      {!diff && <Message text={t('common:loading')} />}
      <div ref={host} className={classes.host} data-empty={toEmpty(before, after)} />
    </section>
  );
}

/** Returns which of the texts has no characters, and so no line for the user. */
function toEmpty(before: string, after: string): 'before' | 'after' | undefined {
  if (before === '') return 'before';
  return after === '' ? 'after' : undefined;
}

/** Shows the numbers that the lines have in the whole text. */
function numberLines(code: editor.ICodeEditor, lines: readonly number[]): void {
  code.updateOptions({ lineNumbers: (line) => String(lines[line - 1] ?? '') });
}

/** Decorates replaced characters. */
function markSpelled(model: editor.ITextModel): void {
  const found = model.getLinesContent().flatMap((text, index) =>
    [...text.matchAll(SPELLED)].map((match) => ({
      range: {
        startLineNumber: index + 1,
        startColumn: match.index + 1,
        endLineNumber: index + 1,
        endColumn: match.index + match[0].length + 1,
      },
      options: { inlineClassName: classes.spelled ?? '' },
    })),
  );
  model.deltaDecorations([], found);
}
