import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tools } from '../../main/tools/index.ts';
import { toCapabilityDocuments } from './capability-documents.ts';
import { toPatchDocuments } from './patch-documents.ts';
import { toToolDocuments } from './tool-documents.ts';
import { toTransactionSchema } from './transaction-schema.ts';

const DOCS = new URL('../../docs/', import.meta.url);

test('docs/tools.md and docs/schemas match the declarations and the models (written by scripts/write-docs.ts)', () => {
  const documents = [
    ...toToolDocuments(tools),
    toTransactionSchema(),
    ...toPatchDocuments(),
    ...toCapabilityDocuments(tools),
  ];
  const list = (folder: string) => readdirSync(new URL(`${folder}/`, DOCS)).map((name) => `${folder}/${name}`);
  const files = ['tools.md', ...list('schemas'), ...list('capabilities')];
  expect(files.sort()).toEqual(documents.map(({ path }) => path).sort());
  for (const { path, text } of documents)
    expect([path, readFileSync(new URL(path, DOCS), 'utf8')]).toEqual([path, text]);
});

test('a schema is a standalone document', () => {
  const { text } = toToolDocuments(tools).find(({ path }) => path === 'schemas/browser_action.request.json') ?? {};
  const { allOf, ...rest } = JSON.parse(text ?? '') as { allOf: Record<string, unknown>[] };
  expect(allOf.map((rule) => rule.then)).toEqual([
    { required: ['action', 'url'] },
    { required: ['action', 'selector'] },
    { required: ['action', 'path'] },
  ]);
  expect(rest).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'browser_action.request',
    contractVersion: '1.0.0',
    additionalProperties: false,
    required: ['action'],
  });
});
