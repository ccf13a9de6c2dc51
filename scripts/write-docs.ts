import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tools } from '../main/tools/index.ts';
import { writeDiagnosticsPage } from './docs/diagnostics-page.ts';
import { toToolDocuments } from './docs/tool-documents.ts';

/** Writes the documents that are generated from the code and compared with it by tests. `npm run docs` */
const DOCS = join(import.meta.dirname, '..', 'docs');

const documents = [{ path: 'diagnostics.md', text: writeDiagnosticsPage() }, ...toToolDocuments(tools)];
for (const { path, text } of documents) {
  await mkdir(dirname(join(DOCS, path)), { recursive: true });
  await writeFile(join(DOCS, path), text);
}
for (const name of await readdir(join(DOCS, 'schemas'))) {
  if (!documents.some(({ path }) => path === `schemas/${name}`)) await rm(join(DOCS, 'schemas', name));
}
