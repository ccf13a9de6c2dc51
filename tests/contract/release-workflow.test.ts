import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  id?: string;
  name?: string;
  run?: string;
  env?: Record<string, string>;
}
interface Workflow {
  on: Record<string, unknown>;
  jobs: Record<
    string,
    { needs?: string | string[]; uses?: string; steps?: Step[]; strategy?: { matrix: { os: string[] } } }
  >;
}

const read = (name: string): Workflow =>
  parse(readFileSync(join(import.meta.dirname, '../../.github/workflows', name), 'utf8')) as Workflow;
const release = read('release.yml');
const test = read('test.yml');
const folder = mkdtempSync(join(tmpdir(), 'webgal-agent-workflow-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the release workflow', () => {
  it('drafts nothing before the tests passed on all three systems', () => {
    expect(release.jobs.release?.needs).toEqual(expect.arrayContaining(['test', 'package']));
    expect(release.jobs.test?.uses).toBe('./.github/workflows/test.yml');
    expect(Object.keys(test.on)).toContain('workflow_call');
    expect(test.jobs.test?.strategy?.matrix.os.map((os) => os.split('-')[0])).toEqual(['ubuntu', 'windows', 'macos']);
  });

  it('fails on every system if the window tests are skipped', () => {
    const step = test.jobs.test?.steps?.find(({ run }) => run === 'npm test');
    expect(step?.env?.WEBGAL_AGENT_REQUIRE_WINDOW).toBe('1');
  });

  // The scripts of the steps, run as a runner of Linux does.
  describe.skipIf(process.platform === 'win32')('on a tag', () => {
    it.each([
      ['v1.2.3', 'stable'],
      ['v1.2.3-alpha.1', 'pre-release'],
      ['v10.20.30-beta.12', 'pre-release'],
      ['v1.2.3-rc.1', null],
      ['v1.2.3-beta', null],
      ['v1.2.3.4', null],
      ['v1.2.3+x', null],
    ])('takes %s for %s', (tag, kind) => {
      expect(findKind(tag)).toBe(kind);
    });

    it('marks a pre-release as one, so that the latest release stays the stable one', () => {
      expect(draft('stable')).toEqual([
        'release',
        'create',
        'v1',
        '--draft',
        '--verify-tag',
        '--generate-notes',
        'packages/*',
      ]);
      expect(draft('pre-release')).toEqual(expect.arrayContaining(['--draft', '--prerelease', '--latest=false']));
    });
  });
});

function findStep(job: string, isIt: (step: Step) => boolean): string {
  return release.jobs[job]?.steps?.find(isIt)?.run ?? '';
}

function findKind(tag: string): string | null {
  const output = join(folder, tag);
  try {
    runScript(
      findStep('version', ({ id }) => id === 'kind'),
      { GITHUB_REF_NAME: tag, GITHUB_OUTPUT: output },
    );
    return readFileSync(output, 'utf8')
      .trim()
      .replace(/^kind=/, '');
  } catch {
    // The step ended with an error, which ends the release.
    return null;
  }
}

/** The arguments that GitHub's program would be called with. */
function draft(kind: string): string[] {
  const script = `gh() { printf '%s\\n' "$@"; }\n${findStep('release', ({ name }) => name === 'Draft')}`;
  return runScript(script, { GITHUB_REF_NAME: 'v1', KIND: kind }).trim().split('\n');
}

function runScript(script: string, env: Record<string, string>): string {
  return execFileSync('bash', ['-e', '-c', script], { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' });
}
