import { useComputedColorScheme } from '@mantine/core';
import type { editor, IDisposable, languages } from 'monaco-editor/editor';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { projectStore } from '../project/project-store.ts';
import { useSettings } from '../settings/settings-store.ts';
import { CODE_FONT } from '../ui/theme.ts';
import classes from './code-area.module.css';
import { editorStore, saveFile, setCursor, useEditor } from './editor-store.ts';
import { keepView, readView } from './kept-views.ts';
import { modelOf } from './models.ts';
import { loadMonaco, type Monaco } from './monaco.ts';
import { setCode } from './shown-code.ts';
import { useMarkers, useMarks } from './use-markers.ts';

const LINE_HEIGHT_RATIO = 22 / 14;
/** At most this long a place in the text is not remembered yet, in milliseconds. */
const VIEW_DELAY_MS = 300;

/** The text being edited. One editor for all tabs: a tab brings its model and its place in it. */
export function CodeArea({ onCursorLine }: { onCursorLine: (path: string, line: number) => void }) {
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
    return followCursor(mounted.code, (line) => onCursorLine(active, line));
  }, [mounted, active, isLoaded, onCursorLine]);

  useEffect(() => {
    if (!mounted || !reveal || reveal.path !== active || !isLoaded) return;
    const { code } = mounted;
    const line = Math.min(reveal.line, code.getModel()?.getLineCount() ?? 1);
    code.setPosition({ lineNumber: line, column: reveal.column });
    code.revealLineInCenterIfOutsideViewport(line);
    code.focus();
  }, [mounted, reveal, active, isLoaded]);

  useMarkers(mounted?.monaco, active, isLoaded);
  useMarks(mounted ? active : null, isLoaded);

  return <div ref={holder} className={classes.area} data-testid="code" />;
}

function createCode(monaco: Monaco, holder: HTMLElement): editor.IStandaloneCodeEditor {
  const code = monaco.editor.create(holder, {
    model: null,
    automaticLayout: true,
    fontFamily: CODE_FONT,
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
    // Its menus take the page's styles.
    useShadowDOM: false,
    // Scripts need no tab characters, and whoever goes by keyboard must get out again.
    tabFocusMode: true,
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false },
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
  });
  code.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS, () => {
    const { active } = editorStore.getState();
    if (active) void saveFile(active);
  });
  showSuggestedPictures(code);
  return code;
}

/** Pictures and explanations stand beside the suggestions from the first time on; Monaco hides them until a key is pressed. */
function showSuggestedPictures(code: editor.IStandaloneCodeEditor): void {
  const suggest = code.getContribution<SuggestContribution>('editor.contrib.suggestController');
  const listening = suggest?.widget?.value.onDidFocus(({ item }) => {
    if (item.completion.documentation === undefined) return;
    listening?.dispose();
    // Only once the list stands on screen can its side be opened.
    setTimeout(() => code.trigger('app', 'toggleSuggestionDetails', null));
  });
}

/** What is used of a part of Monaco that has no public type. */
interface SuggestContribution extends editor.IEditorContribution {
  widget?: {
    value: { onDidFocus(listener: (focused: { item: { completion: languages.CompletionItem } }) => void): IDisposable };
  };
}

/** Passes on the place in the text while it is shown, soon after it changed and when the text or the page is left. */
function followView(code: editor.IStandaloneCodeEditor, keep: (view: editor.ICodeEditorViewState) => void): () => void {
  const model = code.getModel();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    const view = code.getModel() === model ? code.saveViewState() : null;
    if (view) keep(view);
  };
  const tellSoon = () => {
    timer ??= setTimeout(tell, VIEW_DELAY_MS);
  };
  const listening = [code.onDidChangeCursorSelection(tellSoon), code.onDidScrollChange(tellSoon)];
  window.addEventListener('pagehide', tell);
  return () => {
    tell();
    window.removeEventListener('pagehide', tell);
    for (const each of listening) each.dispose();
  };
}

/** Tells the store where the cursor is, and `onLine` when it came to another line. Returns how to stop. */
function followCursor(code: editor.IStandaloneCodeEditor, onLine: (line: number) => void): () => void {
  let line = 0;
  const tell = () => {
    const position = code.getPosition();
    const model = code.getModel();
    if (!position || !model) return;
    const selection = code.getSelection();
    setCursor({
      line: position.lineNumber,
      column: position.column,
      selection: selection && !selection.isEmpty() ? model.getValueInRange(selection).slice(0, 20_000) : '',
    });
    if (position.lineNumber !== line) {
      line = position.lineNumber;
      onLine(line);
    }
  };
  const listening: IDisposable = code.onDidChangeCursorSelection(tell);
  tell();
  return () => listening.dispose();
}
