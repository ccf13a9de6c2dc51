import { describe, expect, it, test } from 'vitest';
import {
  assertLink,
  assertSignInPage,
  createPageRule,
  isLoopbackAddress,
  mayRedirectUpdate,
} from './allowed-addresses.ts';

describe('isLoopbackAddress', () => {
  test.each([
    'http://localhost',
    'http://localhost:3000/a?b#c',
    'https://127.0.0.1:8443/',
    'http://[::1]:80/',
    'ws://localhost:1/socket',
    'http://LOCALHOST/',
  ])('accepts %s', (address) => expect(isLoopbackAddress(address)).toBe(true));

  test.each([
    'http://example.com',
    'http://localhost@evil.com/',
    'http://localhost:80@evil.com/',
    'http://me@localhost/',
    'http://127.0.0.1.evil.com/',
    'http://localhost.evil.com/',
    'http://evil.com/#http://localhost',
    'http://evil.com\\@localhost/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://0.0.0.0/',
    'http://[::ffff:10.0.0.1]/',
    'http://localhost./',
    'http://sub.localhost/',
    'file:///etc/passwd',
    'data:text/html,x',
    'view-source:http://localhost/',
    'javascript:alert(1)',
    'chrome://version',
    'ftp://localhost/',
    'localhost',
    '',
    'http://',
  ])('rejects %s', (address) => expect(isLoopbackAddress(address)).toBe(false));
});

it.each([
  [null, 'https:', 'objects.githubusercontent.com', true],
  [null, 'https:', 'github.com', true],
  [null, 'http:', 'github.com', false],
  [null, 'https:', 'github.com.example.org', false],
  ['https://feed.example/a/', 'https:', 'feed.example', true],
  ['https://feed.example/a/', 'http:', 'feed.example', false],
  ['https://feed.example/a/', 'https:', 'github.com', false],
])('lets the feed %s redirect to %s//%s: %s', (feed, protocol, host, isAllowed) => {
  expect(mayRedirectUpdate(feed, protocol, host)).toBe(isAllowed);
});

it.each(['http://example.org', 'file:///etc/passwd', 'javascript:alert(1)', ' https://example.org'])(
  'does not open the link %s',
  (url) => expect(() => assertLink(url)).toThrow(expect.objectContaining({ code: 'E_POLICY_VIOLATION' })),
);

it.each([
  'http://example.org',
  'http://127.0.0.1.example.org/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'nowhere',
])('opens no sign-in at %s', (url) =>
  expect(() => assertSignInPage(url)).toThrow(expect.objectContaining({ code: 'E_POLICY_VIOLATION' })),
);

it.each(['https://example.org/authorize', 'http://127.0.0.1:4000/authorize?x=1', 'http://192.168.1.5/a'])(
  'opens a sign-in at %s',
  (url) => expect(() => assertSignInPage(url)).not.toThrow(),
);

describe('the rule of the page', () => {
  const isAllowed = createPageRule('app://webgal-agent', 'http://*.localhost:4000');
  const off = { hasDictionaries: false };

  it.each([
    'app://webgal-agent/index.html',
    'blob:app://webgal-agent/1',
    'data:text/plain,a',
    'http://stage-0a.localhost:4000/index.html',
    'ws://stage-0a.localhost:4000/',
  ])('allows %s', (url) => expect(isAllowed(url, off)).toBe(true));

  it.each([
    'https://example.org/',
    'app://webgal-agent.example/',
    'http://stage-0a.localhost:4001/',
    'http://localhost:4000/',
    'https://stage-0a.localhost:4000/',
    'file:///etc/passwd',
  ])('blocks %s', (url) => expect(isAllowed(url, { hasDictionaries: true })).toBe(false));

  it('allows the server of dictionaries only while they are on', () => {
    const url = 'https://redirector.gvt1.com/edgedl/chrome/dict/en-us.bdic';
    expect([isAllowed(url, off), isAllowed(url, { hasDictionaries: true })]).toEqual([false, true]);
  });
});
