import type { editor, languages } from 'monaco-editor/editor';
import type { Diagnostic } from '../../shared/model/diagnostic.ts';
import { pathOf } from '../editor/model-path.ts';
import type { Monaco } from '../editor/monaco.ts';
import { toMonacoEdit } from '../editor/to-monaco-edit.ts';
import { problemsStore } from '../problems/problems-store.ts';
import { WEBGAL } from './webgal-id.ts';

/** Offers the fixes of the problems under the cursor behind the light bulb. */
export function registerQuickFixes(monaco: Monaco): void {
  monaco.languages.registerCodeActionProvider(WEBGAL, {
    provideCodeActions(model, range) {
      const path = pathOf(model);
      const problems = (path && problemsStore.getState().byPath[path]) || [];
      const near = problems.filter(
        (problem) => problem.line >= range.startLineNumber && problem.line <= range.endLineNumber,
      );
      return { actions: near.flatMap((problem) => toActions(model, problem)), dispose: () => undefined };
    },
  });
}

function toActions(model: editor.ITextModel, problem: Diagnostic): languages.CodeAction[] {
  return (problem.fixes ?? []).map((fix) => ({
    title: fix.title,
    kind: 'quickfix',
    isPreferred: true,
    edit: {
      edits: fix.edits.map((edit) => ({
        resource: model.uri,
        versionId: model.getVersionId(),
        textEdit: toMonacoEdit(edit),
      })),
    },
  }));
}
