import { createInstance, type TFunction } from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError, toErrorData } from '../../../shared/errors.ts';
import common from '../../../shared/i18n/en/page/common.json' with { type: 'json' };
import errors from '../../../shared/i18n/en/page/errors.json' with { type: 'json' };
import { refusalText } from '../../../shared/i18n/refusals.ts';
import { i18n } from '../../i18n/setup.ts';
import { describeError } from './describe-error.ts';

let t: TFunction;
beforeAll(async () => {
  t = await createInstance().init({
    lng: 'en',
    resources: { en: { common, errors } },
    interpolation: { escapeValue: false },
  });
});

describe('describeError', () => {
  it('uses the message of the reason, with details', () => {
    const error = new AppError('E_DENY_PATH', 'no', { reason: 'path.denied', details: { path: '<b>../x' } });
    expect(describeError(error, t)).toBe(errors.path.denied.replace('{{path}}', '<b>../x'));
    expect(describeError(toErrorData(error), t)).toBe(describeError(error, t));
  });

  it('falls back to the code for a reason without a message', () => {
    expect(describeError(new AppError('E_IO', 'disk', { reason: 'something.new' }), t)).toBe(errors.E_IO);
    expect(describeError(new AppError('E_TIMEOUT', 'slow'), t)).toBe(errors.E_TIMEOUT);
  });

  it('falls back to the code when a placeholder has no value', () => {
    expect(describeError(new AppError('E_NOT_FOUND', 'no', { reason: 'file.notFound' }), t)).toBe(errors.E_NOT_FOUND);
  });

  it('shows a reason of the core in the language of the page', async () => {
    const why = refusalText('block.json');
    const error = new AppError('E_BAD_ARGS', why.en, { reason: 'provider.badBlock', details: { why } });
    expect(describeError(error, t)).toBe(errors.provider.badBlock.replace('{{why}}', why.en));
    await i18n.init({ lng: 'zh-CN', resources: { 'zh-CN': { common } } });
    expect(describeError(error, t)).toBe(errors.provider.badBlock.replace('{{why}}', why['zh-CN']));
    expect(why['zh-CN']).toMatch(/\p{Script=Han}/u);
  });

  it('joins lists', () => {
    const error = new AppError('E_CONFLICT', 'no', {
      reason: 'write.conflict',
      details: { paths: ['a.txt', 'b.txt'] },
    });
    expect(describeError(error, t)).toBe(errors.write.conflict.replace('{{paths}}', 'a.txt, b.txt'));
  });

  it('never shows the message of an unexpected error', () => {
    for (const surprise of [new Error('/home/me/secret'), 'text', null, undefined, { code: 'EACCES' }]) {
      expect(describeError(surprise, t)).toBe(errors.E_INTERNAL);
    }
  });
});
