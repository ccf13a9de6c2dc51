import { useComputedColorScheme } from '@mantine/core';
import type { editor, IDisposable, languages, Position, Selection } from 'monaco-editor/editor';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { editorStore, saveFile, setCursor, useEditor } from '../state/documents/editor-store.ts';
import type { Reveal } from '../state/documents/reveal.ts';
import { modelOf } from '../state/monaco/models.ts';
import { loadMonaco, type Monaco } from '../state/monaco/monaco.ts';
import { setCode } from '../state/monaco/shown-code.ts';
import { projectStore } from '../state/project/project-store.ts';
import { useSettings } from '../state/settings-store.ts';
import classes from './code-area.module.css';
import { useFileDrop } from './file-drop/use-file-drop.ts';
import { keepView, readView } from './kept-views.ts';
import { TEXT_OPTIONS } from './text-options.ts';
import { useLineMarks } from './use-line-marks.ts';
import { useMarkers } from './use-markers.ts';

const LINE_HEIGHT_RATIO = 22 / 14;
/** Maximum delay before a changed cursor or scroll position is stored. */
const VIEW_DELAY_MS = 300;

/** `movedFrom`: where the cursor's line was before a change above it; null where the user moved the cursor. */
type CursorLineListener = (path: string, line: number, movedFrom: number | null) => void;

/** The text being edited. All tabs share one editor; a tab has its own model and view state. */
export function CodeArea({ onCursorLine }: { onCursorLine: CursorLineListener }) {
  const { t } = useTranslation('editor');
  const holder = useRef<HTMLDivElement>(null);
  const [mounted, setMounted] = useState<{ monaco: Monaco; code: editor.IStandaloneCodeEditor } | null>(null);
  const active = useEditor((state) => state.active);
  const status = useEditor((state) => state.files.find((file) => file.path === state.active)?.state.status);
  const reveal = useEditor((state) => state.reveal);
  const { editorFontSize, wordWrap } = useSettings((state) => state.settings);
  const scheme = useComputedColorScheme('light');
  const isReadOnly = status === 'unreadable';
  const isLoaded = status !== undefined && status !== 'loading';

  useEffect(() => {
    let code: editor.IStandaloneCodeEditor | undefined;
    let isGone = false;
    void loadMonaco().then((monaco) => {
      if (isGone || !holder.current) return;
      code = createCode(monaco, holder.current);
      setMounted({ monaco, code });
      setCode(code);
    });
    return () => {
      isGone = true;
      setCode(null);
      code?.dispose();
      setMounted(null);
    };
  }, []);

  useEffect(() => {
    mounted?.monaco.editor.setTheme(`webgal-${scheme}`);
  }, [mounted, scheme]);

  useEffect(() => {
    mounted?.code.updateOptions({
      fontSize: editorFontSize,
      lineHeight: Math.round(editorFontSize * LINE_HEIGHT_RATIO),
      wordWrap: wordWrap ? 'on' : 'off',
      ariaLabel: t('codeLabel'),
    });
  }, [mounted, editorFontSize, wordWrap, t]);

  useEffect(() => {
    if (!mounted || !active || !isLoaded) return;
    const { code } = mounted;
    const model = modelOf(active);
    const project = projectStore.getState().project?.id;
    if (!model || project === undefined) return;
    code.setModel(model);
    code.updateOptions({ readOnly: isReadOnly });
    const view = readView(project, active);
    if (view) code.restoreViewState(view);
    return followView(code, (left) => keepView(project, active, left));
  }, [mounted, active, isLoaded, isReadOnly]);

  useEffect(() => {
    if (!mounted || !active || !isLoaded) return;
    return watchCursor(mounted.code, (line, movedFrom) => onCursorLine(active, line, movedFrom));
  }, [mounted, active, isLoaded, onCursorLine]);

  useEffect(() => {
    if (!mounted || !reveal || reveal.path !== active || !isLoaded) return;
    showReveal(mounted.code, reveal);
  }, [mounted, reveal, active, isLoaded]);

  useFileDrop(holder, mounted?.code, isLoaded && !isReadOnly ? active : null);
  useMarkers(mounted?.monaco, active, isLoaded);
  useLineMarks(mounted ? active : null, isLoaded);

  return <div ref={holder} className={classes.area} data-testid="code" />;
}

/** Selects the place and scrolls to it. */
function showReveal(
  code: editor.IStandaloneCodeEditor,
  { line, column, length = 0, endLine, keepsFocus }: Reveal,
): void {
  const model = code.getModel();
  const last = model?.getLineCount() ?? 1;
  const first = Math.min(line, last);
  const end = Math.min(endLine ?? line, last);
  code.setSelection({
    startLineNumber: first,
    startColumn: endLine === undefined ? column : 1,
    endLineNumber: end,
    endColumn: endLine === undefined ? column + length : (model?.getLineMaxColumn(end) ?? 1),
  });
  code.revealLineInCenterIfOutsideViewport(first);
  if (!keepsFocus) code.focus();
}

function createCode(monaco: Monaco, holder: HTMLElement): editor.IStandaloneCodeEditor {
  const code = monaco.editor.create(holder, {
    ...TEXT_OPTIONS,
    model: null,
    automaticLayout: true,
    glyphMargin: true,
    folding: true,
    minimap: { enabled: false },
    lineNumbersMinChars: 3,
    padding: { top: 10, bottom: 40 },
    renderLineHighlight: 'all',
    scrollBeyondLastLine: false,
    smoothScrolling: true,
    wrappingStrategy: 'advanced',
    quickSuggestions: { other: true, strings: true, comments: false },
    wordBasedSuggestions: 'off',
    occurrencesHighlight: 'off',
    stickyScroll: { enabled: false },
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    fixedOverflowWidgets: true,
    // Applies the page's styles to its menus.
    useShadowDOM: false,
    // Scripts need no tab characters; Tab must leave the editor for keyboard users.
    tabFocusMode: true,
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
  });
  code.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS, () => {
    const { active } = editorStore.getState();
    if (active) void saveFile(active);
  });
  showSuggestedPictures(code);
  return code;
}

/** Opens the details pane (picture, explanation) with the first suggestions; Monaco hides it until a key is pressed. */
function showSuggestedPictures(code: editor.IStandaloneCodeEditor): void {
  const suggest = code.getContribution<SuggestContribution>('editor.contrib.suggestController');
  const listening = suggest?.widget?.value.onDidFocus(({ item }) => {
    if (item.completion.documentation === undefined) return;
    listening?.dispose();
    // The details can be opened only once the list is rendered.
    setTimeout(() => code.trigger('app', 'toggleSuggestionDetails', null));
  });
}

/** The used members of a Monaco contribution that has no public type. */
interface SuggestContribution extends editor.IEditorContribution {
  widget?: {
    value: { onDidFocus(listener: (focused: { item: { completion: languages.CompletionItem } }) => void): IDisposable };
  };
}

/** Calls `keep` with the view state, throttled after changes and when the text or the page is left. Returns a disposer. */
function followView(code: editor.IStandaloneCodeEditor, keep: (view: editor.ICodeEditorViewState) => void): () => void {
  const model = code.getModel();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keepNow = () => {
    clearTimeout(timer);
    timer = undefined;
    const view = code.getModel() === model ? code.saveViewState() : null;
    if (view) keep(view);
  };
  const keepSoon = () => {
    timer ??= setTimeout(keepNow, VIEW_DELAY_MS);
  };
  const listening = [code.onDidChangeCursorSelection(keepSoon), code.onDidScrollChange(keepSoon)];
  window.addEventListener('pagehide', keepNow);
  return () => {
    keepNow();
    window.removeEventListener('pagehide', keepNow);
    for (const each of listening) each.dispose();
  };
}

/** The text was changed by something else than the keyboard. The enumeration itself is loaded later. */
const RECOVERED = 2 satisfies editor.CursorChangeReason.RecoverFromMarkers;

/** A click on a line's number selects the line with its end, and the cursor is at the start of the next one: the clicked line is meant. */
function toShownLine({ lineNumber, column }: Position, selection: Selection | null): number {
  const isWholeLine = selection !== null && selection.startLineNumber < lineNumber && column === 1;
  return isWholeLine ? lineNumber - 1 : lineNumber;
}

/** Stores the cursor position and calls `onLine` when the line changes. Returns a disposer. */
function watchCursor(
  code: editor.IStandaloneCodeEditor,
  onLine: (line: number, movedFrom: number | null) => void,
): () => void {
  let line = 0;
  const report = (event?: editor.ICursorSelectionChangedEvent) => {
    const position = code.getPosition();
    const model = code.getModel();
    if (!position || !model) return;
    const selection = code.getSelection();
    const shown = toShownLine(position, selection);
    setCursor({
      line: shown,
      column: position.column,
      firstLine: selection?.startLineNumber ?? position.lineNumber,
      selection: selection && !selection.isEmpty() ? model.getValueInRange(selection).slice(0, 20_000) : '',
    });
    if (shown !== line) {
      const before = line;
      line = shown;
      onLine(line, event?.reason === RECOVERED ? before : null);
    }
  };
  const listening: IDisposable = code.onDidChangeCursorSelection(report);
  report();
  return () => listening.dispose();
}
