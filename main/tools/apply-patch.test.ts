import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { createDirectWriter } from '../core/capability/client/direct-writer.ts';
import { createProposalService } from '../core/proposal/proposal-service.ts';
import { DRAFT_NOTE } from '../core/proposal/text-change.ts';
import type { ProposalService } from '../core/services.ts';
import { applyPatch } from './apply-patch.ts';

const START = 'game/scene/start.txt';
const END = 'game/scene/end.txt';
const WIN = 'game/scene/win.txt';
const NEW = 'game/scene/new.txt';
const BEFORE = 'label:a;\n甲:一;\n甲:二;\n\nlabel:b;\n甲:一;\n甲:三;\n';

let game: ProjectFolder;
let proposals: ProposalService;
let bench: ReturnType<typeof createToolBench>;

const patch = (...lines: string[]) => ({ patch_text: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') });

beforeEach(async () => {
  game = await createProjectFolder({ [START]: BEFORE, [END]: 'end;\n', [WIN]: 'a;\r\nb;\r\n' });
  const { reader, writer } = game;
  proposals = createProposalService({
    reader,
    writer,
    emit: () => {},
    clock: { now: () => 1, id: () => 'id' },
    locale: () => 'en',
  });
  proposals.begin('turn', async () => {});
  bench = createToolBench([applyPatch], { reader: proposals.reader, writer: proposals.writer });
});
afterEach(() => game.dispose());

test('drafts changes to several files as one change', async () => {
  const input = patch(
    `*** Update File: ${START}`,
    '@@ label:b;',
    ' 甲:一;',
    '-甲:三;',
    '+甲:四;',
    '+甲:五;',
    `*** Add File: ${NEW}`,
    '+乙:新;',
    '+end;',
    `*** Delete File: ${END}`,
    `*** Update File: ${WIN}`,
    '@@',
    '-b;',
    '+B;',
  );
  expect(await bench.value('apply_patch', input)).toEqual({
    applied: false,
    drafted: true,
    note: DRAFT_NOTE,
    files: [
      { path: START, action: 'update', added: 2, removed: 1 },
      { path: NEW, action: 'add', added: 2, removed: 0 },
      { path: END, action: 'delete', added: 0, removed: 1 },
      { path: WIN, action: 'update', added: 1, removed: 1 },
    ],
  });
  expect([...proposals.texts()]).toEqual([
    [NEW, '乙:新;\nend;\n'],
    [START, 'label:a;\n甲:一;\n甲:二;\n\nlabel:b;\n甲:一;\n甲:四;\n甲:五;\n'],
    [WIN, 'a;\r\nB;\r\n'],
  ]);
  expect(proposals.current()?.files.map((file) => [file.path, file.after === null])).toContainEqual([END, true]);
  expect(await game.text(START)).toBe(BEFORE);
});

test.each([
  ['an insertion at the end', ['@@', '+end;'], `${BEFORE}end;\n`],
  ['an insertion below a line', ['@@ label:b;', '+乙:嗯;'], BEFORE.replace('label:b;\n', 'label:b;\n乙:嗯;\n')],
  [
    'an empty line without its blank',
    ['@@', ' 甲:二;', '', '-label:b;', '+label:c;'],
    BEFORE.replace('label:b', 'label:c'),
  ],
  [
    'two hunks in order',
    ['@@', '-label:a;', '+label:x;', '@@', '-label:b;', '+label:y;'],
    BEFORE.replace(':a', ':x').replace(':b', ':y'),
  ],
  ['a hunk without @@', ['-label:a;', '+label:x;'], BEFORE.replace('label:a', 'label:x')],
])('applies %s', async (_, lines, after) => {
  await bench.value('apply_patch', patch(`*** Update File: ${START}`, ...lines));
  expect(proposals.texts().get(START)).toBe(after);
});

test.each([
  ['lines that are not there', ['@@', '-甲:九;', '+x;'], 'E_BAD_ARGS'],
  ['lines that are there twice', ['@@', '-甲:一;', '+x;'], 'E_BAD_ARGS'],
  ['an anchor that is not there', ['@@ label:z;', '-甲:一;', '+x;'], 'E_BAD_ARGS'],
  ['hunks out of order', ['@@', '-label:b;', '+x;', '@@', '-label:a;', '+y;'], 'E_BAD_ARGS'],
  ['a line that makes no sense', ['@@', 'label:a;'], 'E_BAD_ARGS'],
])('changes nothing for %s', async (_, lines, code) => {
  const input = patch(`*** Add File: ${NEW}`, '+x', `*** Update File: ${START}`, ...lines);
  expect(await bench.code('apply_patch', input)).toBe(code);
  expect(proposals.texts().size).toBe(0);
});

test.each([
  [patch(`*** Add File: ${START}`, '+x'), 'E_CONFLICT'],
  [patch('*** Delete File: game/scene/none.txt'), 'E_NOT_FOUND'],
  [patch('*** Add File: ../x.txt', '+x'), 'E_DENY_PATH'],
  [patch('*** Update File: .git/config', '@@', '+x'), 'E_DENY_PATH'],
  [patch(`*** Delete File: ${START}`, `*** Delete File: ./${START}`), 'E_BAD_ARGS'],
  [patch('*** Add File: game/scene/END.txt', '+x'), 'E_DENY_PATH'],
  [{ patch_text: 'please change it' }, 'E_BAD_ARGS'],
  [patch(), 'E_BAD_ARGS'],
])('refuses malformed patches: %#', async (input, code) => {
  expect(await bench.code('apply_patch', input)).toBe(code);
  expect(proposals.texts().size).toBe(0);
});

test('parses the patch of a call once', () => {
  let reads = 0;
  const input = {
    get patch_text() {
      reads += 1;
      return patch(`*** Add File: ${NEW}`, '+x').patch_text;
    },
  };
  expect(applyPatch.paths(input)).toEqual([NEW]);
  applyPatch.summarize(input);
  applyPatch.approval?.permissionsFor?.(input);
  expect(reads).toBe(1);
});

test('writes all files as one transaction without a proposal', async () => {
  const writer = createDirectWriter({ writer: game.writer, label: () => ({ group: 'session', title: 'session' }) });
  const direct = createToolBench([applyPatch], { reader: game.reader, writer });
  const input = patch(`*** Add File: ${NEW}`, '+x', `*** Update File: ${WIN}`, '@@', '-a;', '+A;');
  const snapshotId = expect.stringMatching(/^snap_/);
  expect(await direct.value('apply_patch', input)).toEqual({
    applied: true,
    files: [
      { path: NEW, action: 'add', added: 1, removed: 0, snapshotId },
      { path: WIN, action: 'update', added: 1, removed: 1, snapshotId },
    ],
  });
  expect([await game.text(NEW), await game.text(WIN)]).toEqual(['x\n', 'A;\r\nb;\r\n']);
});
