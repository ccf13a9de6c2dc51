import type { editor, languages } from 'monaco-editor/editor';
import type { Diagnostic, TextEdit } from '../../../shared/model/diagnostic.ts';
import { i18n } from '../../i18n/setup.ts';
import { pathOf } from '../../state/monaco/model-path.ts';
import type { Monaco } from '../../state/monaco/monaco.ts';
import { toMonacoEdit } from '../../state/monaco/to-monaco-edit.ts';
import { WEBGAL } from '../../state/monaco/webgal-id.ts';
import { nameFiles } from '../../state/problems/name-files.ts';
import type { ProblemBook } from '../../state/problems/problem-book.ts';
import { problemsStore } from '../../state/problems/problems-store.ts';
import { type AlikeFixes, fixAllOfKind } from '../../workflows/fix-all-of-kind.ts';

const FIX_ALL = 'webgal.fixAllOfKind';

/** Registers actions for the problems at the cursor: fix it, fix all with the same code, suppress it. */
export function registerQuickFixes(monaco: Monaco): void {
  monaco.editor.registerCommand(FIX_ALL, (_, code: string, fixes: AlikeFixes) => void fixAllOfKind(code, fixes));
  monaco.languages.registerCodeActionProvider(WEBGAL, {
    provideCodeActions(model, range) {
      const path = pathOf(model);
      const { book } = problemsStore.getState();
      const near = (path ? book.of(path) : []).filter(
        (problem) => problem.line >= range.startLineNumber && problem.line <= range.endLineNumber,
      );
      const actions = [
        ...near.flatMap((problem) => toFixes(model, problem)),
        ...toFixAlls(near, book),
        ...toSilences(model, near),
      ];
      return { actions, dispose: () => undefined };
    },
  });
}

function toFixes(model: editor.ITextModel, problem: Diagnostic): languages.CodeAction[] {
  return (problem.fixes ?? []).map((fix, at) => ({
    title: fix.title,
    kind: 'quickfix',
    isPreferred: at === 0,
    edit: toEdit(model, fix.edits),
  }));
}

/** Creates one action per code at the cursor that has more than one problem in the game. */
function toFixAlls(near: readonly Diagnostic[], book: ProblemBook): languages.CodeAction[] {
  const kinds = new Map(near.map((problem) => [problem.code, problem.fixes?.[0]]));
  return [...kinds].flatMap(([code, fix]) => {
    const count = book.fixable.get(code) ?? 0;
    if (!fix || count < 2) return [];
    const files = nameFiles(book.fixableFiles(code), i18n.getFixedT(null, 'problems'));
    const title = i18n.t('problems:fixAllOf', { title: fix.title, count, files });
    return [
      { title, kind: 'quickfix', command: { id: FIX_ALL, title, arguments: [code, { count, title: fix.title }] } },
    ];
  });
}

/** Creates actions that insert an `@ignore` comment above the line, which suppresses these codes there. */
function toSilences(model: editor.ITextModel, near: readonly Diagnostic[]): languages.CodeAction[] {
  const kinds = new Map<number, Set<string>>();
  for (const { line, code, severity } of near) {
    if (severity !== 'error') kinds.set(line, (kinds.get(line) ?? new Set()).add(code));
  }
  return [...kinds].map(([line, codes]) => {
    const above = line > 1 ? model.getLineContent(line - 1) : '';
    const list = [...codes].join(', ');
    const edit = above.startsWith(';@ignore ')
      ? { ...at(line - 1, above.length + 1), newText: `, ${list}` }
      : { ...at(line, 1), newText: `;@ignore ${list}\n` };
    return { title: i18n.t('problems:silence'), kind: 'quickfix', edit: toEdit(model, [edit]) };
  });
}

const at = (line: number, column: number) => ({ line, column, endLine: line, endColumn: column });

function toEdit(model: editor.ITextModel, edits: readonly TextEdit[]): languages.WorkspaceEdit {
  const versionId = model.getVersionId();
  return { edits: edits.map((edit) => ({ resource: model.uri, versionId, textEdit: toMonacoEdit(edit) })) };
}
