import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { UpdateFeed } from '../../../../shared/model/updates.ts';
import { RELEASES } from '../../../network/allowed-addresses.ts';
import { checkFileUrl, isForTestersOnly, toFeedInfo } from './check-feed.ts';

const SUM = `${'A'.repeat(86)}==`;
const FEED = { version: '1.2.3', files: [{ url: 'a.AppImage', sha512: SUM, size: 5 }], releaseDate: '2026-01-01' };

describe('toFeedInfo', () => {
  it('drops fields that the app does not use', () => {
    const raw = { ...FEED, packages: { x64: { path: 'evil' } }, stagingPercentage: 1, releaseNotes: ['odd'] };
    expect(toFeedInfo(raw)).toEqual({ ...FEED, path: 'a.AppImage', sha512: SUM, releaseNotes: undefined });
  });

  it.each([
    [null],
    ['text'],
    [[]],
    [{ ...FEED, files: [] }],
    [{ ...FEED, version: '<b>1</b>' }],
    [{ ...FEED, version: 1 }],
    [{ ...FEED, tag: '../../x' }],
  ])('rejects %j', (raw) => {
    expect(() => toFeedInfo(raw)).toThrow(expect.objectContaining({ code: 'ERR_UPDATER_INVALID_UPDATE_INFO' }));
  });

  it.each([[undefined], [''], ['abc'], [5]])('rejects the checksum %j', (sha512) => {
    const raw = { ...FEED, files: [{ url: 'a.AppImage', sha512 }] };
    expect(() => toFeedInfo(raw)).toThrow(expect.objectContaining({ code: 'ERR_UPDATER_NO_CHECKSUM' }));
  });
});

it.each([
  ['https://feed.example/a/app-1.0.AppImage', true],
  ['https://feed.example/a/app%20(1).AppImage', true],
  ['https://other.example/app.AppImage', false],
  ['http://feed.example/app.AppImage', false],
  ['file:///etc/passwd', false],
  ['https://feed.example/a/..%2f..%2fapp.AppImage', false],
  ['https://feed.example/a/.bashrc', false],
  ['https://feed.example/a/%', false],
])('accepts a file from %s: %s', (url, isAccepted) => {
  const check = () => checkFileUrl(new URL(url), new URL('https://feed.example/a/'));
  if (isAccepted) expect(check).not.toThrow();
  else expect(check).toThrow();
});

it.each([
  ['https://example.org/feed', true],
  ['http://127.0.0.1:8080', true],
  ['http://[::1]:8080/x', true],
  ['http://example.org', false],
  ['http://127.0.0.1.example.org', false],
  ['http://localhost@example.org', false],
  ['https://user:word@example.org', false],
  ['file:///feed', false],
  ['ftp://example.org', false],
  ['https://example.org/?a=b', false],
])('accepts the feed %s: %s', (address, isAccepted) => {
  expect(UpdateFeed.safeParse(address).success).toBe(isAccepted);
});

it.each([
  ['1.2.3-beta.1', '1.2.2', true],
  ['1.2.3-beta.1+x', '1.2.2', true],
  ['1.2.3-beta.2', '1.2.3-beta.1', false],
  ['1.2.3', '1.2.3-beta.1', false],
  ['1.2.3', '1.2.2', false],
  ['1.2.3+a-b', '1.2.2', false],
])('withholds %s from a user of %s: %s', (version, current, isWithheld) => {
  expect(isForTestersOnly(version, current)).toBe(isWithheld);
});

it('uses the repository that electron-builder publishes to', () => {
  const config = readFileSync(new URL('../../../../electron-builder.yml', import.meta.url), 'utf8');
  expect(config).toContain(`  owner: ${RELEASES.owner}\n  repo: ${RELEASES.repo}\n`);
});
