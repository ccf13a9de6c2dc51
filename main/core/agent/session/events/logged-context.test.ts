import { expect, it } from 'vitest';
import { EditorContext } from '../../../../../shared/model/message/editor-context.ts';
import { LoggedContext } from './logged-context.ts';

it('holds the stage and the problems of the game where no file is open', () => {
  const context = {
    stage: { scene: 'game/scene/start.txt', line: 2, problems: 1 },
    problems: { errors: 1, warnings: 0 },
  };
  expect(LoggedContext.parse(EditorContext.parse(context))).toEqual(context);
});
