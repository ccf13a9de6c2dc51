import { expect, test } from 'vitest';
import { diagnoseProject } from './diagnose.ts';
import { fixAll } from './fix-all.ts';
import { createProjectIndex } from './project-facts.ts';

test('mends every finding of one kind, in every scene', () => {
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
