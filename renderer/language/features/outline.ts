import type { languages } from 'monaco-editor/editor';
import type { SceneSummary } from '../../../shared/script/story/outline.ts';
import { pathOf } from '../../state/monaco/model-path.ts';
import type { Monaco } from '../../state/monaco/monaco.ts';
import { WEBGAL } from '../../state/monaco/webgal-id.ts';
import { askLanguage } from './ask-language.ts';

/** Registers the outline of a scene: its labels, and below each the scenes it leads to. */
export function registerOutline(monaco: Monaco): void {
  monaco.languages.registerDocumentSymbolProvider(WEBGAL, {
    async provideDocumentSymbols(model, token) {
      const path = pathOf(model);
      const summary = path && (await askLanguage({ model, token }, 'summarize', { path }));
      return summary ? toSymbols(monaco, summary) : [];
    },
  });
}

function toSymbols(monaco: Monaco, { labels, leadsTo, lines }: SceneSummary): languages.DocumentSymbol[] {
  const { SymbolKind } = monaco.languages;
  const symbol = (name: string, line: number, more: { kind: languages.SymbolKind; endLine?: number }) => ({
    name: name || '…',
    detail: '',
    kind: more.kind,
    tags: [],
    range: { startLineNumber: line, startColumn: 1, endLineNumber: more.endLine ?? line, endColumn: 1 },
    selectionRange: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 },
  });
  const ways = leadsTo.map((way) => ({
    line: way.line,
    entry: symbol(`→ ${way.scene}`, way.line, { kind: SymbolKind.File }),
  }));
  const within = (from: number, to: number) =>
    ways.filter(({ line }) => line >= from && line <= to).map(({ entry }) => entry);
  const sections = labels.map(({ name, line }, at) => {
    const endLine = (labels[at + 1]?.line ?? lines + 1) - 1;
    return { ...symbol(name, line, { kind: SymbolKind.Field, endLine }), children: within(line, endLine) };
  });
  return [...within(1, (labels[0]?.line ?? lines + 1) - 1), ...sections];
}
