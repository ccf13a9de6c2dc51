import { describe, expect, it } from 'vitest';
import { LOCALES } from '../../../shared/model/local-text.ts';
import { diagnoseProject } from '../../../shared/script/diagnostics/diagnose.ts';
import { createProjectIndex } from '../../../shared/script/project-index/project-facts.ts';
import { toNewGame } from './new-game.ts';

describe('a new game', () => {
  it.each(LOCALES)('has no problems in %s', (locale) => {
    const files = toNewGame({ title: 'Rain', key: 'k', locale });
    const index = createProjectIndex();
    index.setFiles(files.map(({ path }) => path));
    for (const { path, text } of files) index.setText(path, text);
    expect(diagnoseProject(index, { locale })).toEqual([]);
  });

  it('keeps the complete name where the settings syntax would truncate it', () => {
    const [config] = toNewGame({ title: 'Rain; and -storm\n', key: 'k', locale: 'en' });
    expect(config?.text).toBe('Game_name:Rain  and-storm;\nGame_key:k;\nDefault_Language:en;\n');
  });
});
