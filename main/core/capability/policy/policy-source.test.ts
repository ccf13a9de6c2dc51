import { expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { DEFAULT_ROLES } from '../../../../shared/model/capability/role.ts';
import { NO_POLICY, type ProjectPolicy } from './policy-file.ts';
import { createPolicySource } from './policy-source.ts';

async function create(text: string | null | Error) {
  const state = {
    text,
    received: [] as ProjectPolicy[],
    settings: { tools: {}, allowedAs: {}, developerMode: true, roles: DEFAULT_ROLES },
  };
  const source = await createPolicySource({
    policyFile: {
      async read() {
        if (state.text instanceof Error) throw state.text;
        return state.text;
      },
    },
    tools: [],
    settings: async () => state.settings,
    host: ({ developerMode }) => ({ writes: 'drafted', developerMode }),
    onProjectPolicy: (policy) => state.received.push(policy),
  });
  return { state, source };
}

test('applies only host and user settings without a policy file', async () => {
  const { source, state } = await create(null);
  expect(source.current()).toEqual({
    project: {
      writes: 'drafted',
      developerMode: true,
      closedFolders: [],
      tools: {},
      allowedCommands: undefined,
      broken: null,
    },
    settings: { tools: {}, allowedAs: {} },
    roles: DEFAULT_ROLES,
    maxReadBytes: null,
  });
  expect([source.projectPolicy(), state.received]).toEqual([NO_POLICY, []]);
});

test('tightens the limits of the host, and applies changes at the next refresh', async () => {
  const { source, state } = await create('{"policies":{"developerMode":false,"maxReadBytes":10}}');
  expect(source.current()).toMatchObject({ project: { developerMode: false }, maxReadBytes: 10 });
  state.text = '{"policies":{"developerMode":true,"forbiddenDirs":["notes"]}}';
  await source.refresh();
  expect(source.current()).toMatchObject({ project: { developerMode: true, closedFolders: ['notes'] } });
  state.settings = { tools: {}, allowedAs: {}, developerMode: false, roles: DEFAULT_ROLES };
  await source.refresh();
  expect(source.current().project.developerMode).toBe(false);
  state.text = null;
  await source.refresh();
  await source.refresh();
  expect(state.received.map(({ ignored }) => ignored)).toEqual([[], ['developerMode'], []]);
});

test.each([new AppError('E_TOO_LARGE', 'it is larger than 65536 bytes'), new Error('/home/user')])(
  'denies all calls while the policy file cannot be read, and reports it once: %s',
  async (error) => {
    const { source, state } = await create(error);
    await source.refresh();
    expect(source.current().project.broken).toMatchObject({ reason: 'rules.unreadable' });
    expect(JSON.stringify(source.current())).not.toContain('/home');
    expect(state.received).toHaveLength(1);
  },
);

test('allows nothing until the settings were read', async () => {
  const source = await createPolicySource({
    policyFile: { read: async () => null },
    tools: [],
    settings: () => Promise.reject(new Error('disk gone')),
    host: () => ({ writes: 'allowed', developerMode: true, roles: DEFAULT_ROLES }),
  });
  expect(source.current().project).toMatchObject({ writes: 'refused', developerMode: false, broken: {} });
  await expect(source.refresh()).rejects.toThrow('disk gone');
});
