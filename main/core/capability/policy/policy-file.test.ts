import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_POLICY, POLICY_FILE, toProjectPolicy } from './policy-file.ts';

const TOOLS = ['delete_file', 'write_to_file', 'execute_command', 'browser_action'];
const toPolicy = (text: string) => toProjectPolicy(text, TOOLS);
const toText = (policies: unknown) => JSON.stringify({ contractVersion: '1.0.0', policies }, null, 2);

describe('restrictions', () => {
  test('are read', () => {
    const text = toText({
      forbiddenDirs: ['game/private', 'drafts/', '.git'],
      tools: { delete_file: 'never', write_to_file: 'ask' },
      developerMode: false,
      maxReadBytes: 1000,
      allowedCommands: ['lint'],
    });
    expect(toPolicy(text)).toEqual({
      closedFolders: ['game/private', 'drafts'],
      tools: { delete_file: 'never', write_to_file: 'ask' },
      noDeveloperMode: true,
      maxReadBytes: 1000,
      allowedCommands: ['lint'],
      ignored: [],
      broken: null,
    });
  });

  test('the example of the tool contract adds no restriction', () => {
    const example = {
      contractVersion: '1.0.0',
      mode: 'cline',
      policies: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the contract writes the project's root like this
        sandboxRoot: '${projectRoot}',
        forbiddenDirs: ['.git', 'node_modules', '.env'],
        writeRequiresDiff: true,
        maxAutoFix: 1,
        batchMaxLines: 2000,
        allowedCommands: ['dev', 'build', 'lint'],
        browserAllowedHosts: ['localhost', '127.0.0.1'],
      },
    };
    expect(toPolicy(JSON.stringify(example))).toEqual({
      ...NO_POLICY,
      allowedCommands: ['dev', 'build', 'lint'],
      ignored: ['maxAutoFix', 'batchMaxLines'],
    });
  });

  test('an empty object, with and without a byte order mark, adds no restriction', () => {
    expect([toPolicy('{}'), toPolicy('\uFEFF{}')]).toEqual([NO_POLICY, NO_POLICY]);
  });

  test('an empty host list disables the browser', () => {
    expect(toPolicy(toText({ browserAllowedHosts: [] })).tools).toEqual({ browser_action: 'never' });
  });
});

test.each([
  [{ developerMode: true }, 'developerMode'],
  [{ tools: { execute_command: 'allow' } }, 'tools.execute_command'],
  [{ writeRequiresDiff: false }, 'writeRequiresDiff'],
  [{ sandboxRoot: '/' }, 'sandboxRoot'],
  [{ maxReadBytes: 1e12 }, 'maxReadBytes'],
  [{ allowedCommands: ['dev', 'rm'] }, 'allowedCommands'],
  [{ browserAllowedHosts: ['localhost', 'evil.example'] }, 'browserAllowedHosts'],
])('%j would loosen a restriction: it is reported and ignored', (policies, key) => {
  const policy = toPolicy(toText(policies));
  expect([policy.ignored, policy.broken, policy.tools, policy.noDeveloperMode]).toEqual([[key], null, {}, false]);
  expect(policy.maxReadBytes ?? 0).toBeLessThanOrEqual(5 * 1024 * 1024);
  expect(policy.allowedCommands ?? []).not.toContain('rm');
});

describe('invalid policy files close everything and report the line', () => {
  test.each([
    ['{\n  "policies": {\n    "tools": x\n  }\n}', 'rules.syntax', 3, null],
    ['{\n  "policies": {', 'rules.syntax', 2, null],
    ['', 'rules.syntax', 1, null],
    ['[]', 'rules.syntax', 1, null],
    ['{\n  "polices": {}\n}', 'rules.unknownKey', 2, 'polices'],
    ['{\n "policies": {\n  "tools": {\n   "delete_file": "nope"\n  }\n }\n}', 'rules.badValue', 4, 'delete_file'],
    ['{\n "policies": {\n  "maxReadBytes": -1\n }\n}', 'rules.badValue', 3, 'maxReadBytes'],
    ['{\n "policies": {\n  "forbiddenDirs": [\n   "../x"\n  ]\n }\n}', 'rules.badFolder', 4, '../x'],
    ['{"contractVersion":"2.0.0"}', 'rules.badValue', 1, 'contractVersion'],
    ['{"policies":{"tools":{"Rm -rf":"never"}}}', 'rules.badValue', 1, 'Rm -rf'],
    ['{"policies":{\n"tools":{\n"delete_files":"never"}}}', 'rules.unknownKey', 3, 'delete_files'],
    ['{"policies":{"tools":{"exec_command":"allow"}}}', 'rules.unknownKey', 1, 'exec_command'],
    ['{"policies":{"tools":{"constructor":"never"}}}', 'rules.unknownKey', 1, 'constructor'],
  ])('%j', (text, reason, line, key) => {
    const { broken } = toPolicy(text);
    expect(broken).toMatchObject({ file: POLICY_FILE, reason, line, key });
  });
});

test('never throws, and ignores names of object members', () => {
  expect(toPolicy('{"__proto__":{"policies":{"tools":{"x":"never"}}}}').tools).toEqual({});
  const policy = toPolicy('{"policies":{"tools":{"__proto__":"never","constructor":"never"}}}');
  expect(Object.hasOwn(policy.tools, '__proto__')).toBe(false);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.json().map((json) => toText(JSON.parse(json))),
      ),
      (text) => {
        const { tools, broken, closedFolders } = toPolicy(text);
        expect(Object.values(tools).every((choice) => choice === 'ask' || choice === 'never')).toBe(true);
        if (broken) expect([tools, closedFolders]).toEqual([{}, []]);
      },
    ),
    { numRuns: 300 },
  );
});
