import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import type { Locale } from '../../../shared/model/text.ts';
import { diagnoseProject } from '../../../shared/script/diagnostics/diagnose.ts';
import { fixAll, isCertainlyFixable } from '../../../shared/script/diagnostics/fix-all.ts';
import { CONFIG_PATH, type ProjectIndex } from '../../../shared/script/index/project-facts.ts';
import { applyEdits } from '../../../shared/script/services/apply-edits.ts';
import type { Change, Reader, Writer } from '../ports.ts';

/** A fix may lay open another problem behind it; after this many rounds the rest is left to a person. */
const MOST_ROUNDS = 4;

/**
 * Mends what can be mended without asking, as one transaction through the writer, and brings the index up to date.
 * Returns how many files changed. `E_CONFLICT` when a file changed meanwhile; nothing is written then.
 */
export async function fixCertain(
  ports: { reader: Reader; writer: Writer; index: ProjectIndex },
  { locale, label }: { locale: Locale; label: { group: string; title: string } },
): Promise<number> {
  const { reader, writer, index } = ports;
  const config = index.config === null ? undefined : (await reader.read(CONFIG_PATH)).text;
  const texts = new Map<string, { before: string; after: string }>();
  const textOf = (path: string) => texts.get(path)?.after ?? (path === CONFIG_PATH ? config : index.scene(path)?.text);

  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const codes = new Set(certain(index, locale).map(({ code }) => code));
    let isChanged = false;
    for (const code of codes) {
      for (const [path, edits] of fixAll(certain(index, locale), code)) {
        const text = textOf(path);
        // A lone carriage return moves columns: such a file is left to a person.
        if (text === undefined || /\r(?!\n)/.test(text)) continue;
        const after = applyEdits(text, edits);
        if (after === text) continue;
        texts.set(path, { before: texts.get(path)?.before ?? text, after });
        index.setText(path, after);
        isChanged = true;
      }
    }
    if (!isChanged) break;
  }
  const changes: Change[] = [];
  for (const [path, { before, after }] of texts) {
    const file = await reader.read(path);
    // Had it changed since, the writer is given a base that cannot match, and says so for all such files.
    if (before !== after) changes.push({ path, text: after, base: file.text === before ? file.version : '' });
  }
  return changes.length === 0 ? 0 : (await writer.apply(changes, { origin: 'writer', ...label })).length;
}

function certain(index: ProjectIndex, locale: Locale): Diagnostic[] {
  return diagnoseProject(index, { locale }).filter(isCertainlyFixable);
}
