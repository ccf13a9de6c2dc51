import { describe, expect, it } from 'vitest';
import { toConfirmation, withConfirmation } from './confirmation.ts';

const START = 'game/scene/start.txt';
const INN = 'game/scene/inn.txt';
const request = { id: 'p', paths: [START, INN], pieces: [{ path: START, version: 'v', take: [0] }] };
const files = [
  { path: START, version: 'v' },
  { path: INN, version: 'v' },
];
const part = { request, files };

describe('the word of the user for a refused part', () => {
  it('covers the same part, and adds to the word that it had', () => {
    const first = withConfirmation(part, toConfirmation(part, [START]));
    expect(first).toEqual({ request: { ...request, confirmed: [START] }, files });
    const second = withConfirmation(part, toConfirmation(first, [INN]));
    expect(second).toEqual({ request: { ...request, confirmed: [START, INN] }, files });
  });

  it.each([
    ['other pieces', { pieces: [{ path: START, version: 'v', take: [1] }] }],
    ['other lines', { pieces: [{ path: START, version: 'v', take: [0], edited: [{ hunk: 0, lines: ['end;'] }] }] }],
    ['the whole file', { pieces: undefined }],
  ])('does not cover %s', (_name, change) => {
    const other = { request: { ...request, ...change }, files };
    expect(withConfirmation(other, toConfirmation(part, [START]))).toBe(other);
  });

  it('does not cover another version of a file', () => {
    const other = {
      request,
      files: [
        { path: START, version: 'v' },
        { path: INN, version: 'w' },
      ],
    };
    expect(withConfirmation(other, toConfirmation(part, [START]))).toBe(other);
  });
});
