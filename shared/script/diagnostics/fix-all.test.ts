import { expect, test } from 'vitest';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { diagnoseProject } from './diagnose.ts';
import { fixAll, isCertainlyFixable } from './fix-all.ts';

test('fixes every finding of one code in every scene', () => {
  const index = createProjectIndex();
  const texts = new Map([
    ['game/scene/a.txt', 'changebg:x;\nA:hi\nLabel:b;'],
    ['game/scene/b.txt', 'BGM:none;\nA:hi'],
  ]);
  for (const [path, text] of texts) index.setScene(path, text);
  const before = diagnoseProject(index, { locale: 'en' });
  for (const [path, edits] of fixAll(before, 'command-case')) {
    const lines = (texts.get(path) ?? '').split('\n');
    for (const edit of edits.toReversed()) {
      const line = lines[edit.line - 1] ?? '';
      lines[edit.line - 1] = line.slice(0, edit.column - 1) + edit.newText + line.slice(edit.endColumn - 1);
    }
    index.setScene(path, lines.join('\n'));
  }
  expect([...index.scenes()].map((scene) => scene.text)).toEqual(['changeBg:x;\nA:hi\nlabel:b;', 'bgm:none;\nA:hi']);
  expect(diagnoseProject(index, { locale: 'en' }).filter((found) => found.code === 'command-case')).toEqual([]);
});

test('fixes only what needs no guess without asking', () => {
  const index = createProjectIndex();
  index.setScene(
    'game/scene/start.txt',
    'changebg:none;\nlabel:morning;\njumpLabel:mornig;\nfilmMode;\nchangeFigure:none;\nchangeFigure:stand.webp -left;\nA:x;\nchangeFigure:none;\nA:y;\nend;',
  );
  const found = diagnoseProject(index, { locale: 'en' }).filter(({ fixes }) => fixes !== undefined);
  expect(found.map((one) => [one.code, one.fixes?.length, isCertainlyFixable(one)])).toEqual([
    ['command-case', 1, true],
    ['missing-label', 1, false],
    ['film-mode-word', 2, false],
    ['empty-place-closed', 1, false],
  ]);
});
