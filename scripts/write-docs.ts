import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toTextModules } from './docs/text-modules.ts';

/** Writes the files that are generated from the code and compared with it by tests. `npm run docs` */
const ROOT = join(import.meta.dirname, '..');
const DOCS = join(ROOT, 'docs');
const TEXTS = join(ROOT, 'shared', 'i18n', 'texts');

interface GeneratedFile {
  /** Below the folder that it is written to. */
  path: string;
  text: string;
}

async function writeFiles(folder: string, files: readonly GeneratedFile[]): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Removes what an earlier run wrote to a folder that has generated files only. */
async function removeOthers(folder: string, names: readonly string[]): Promise<void> {
  for (const name of await readdir(folder)) if (!names.includes(name)) await rm(join(folder, name));
}

const modules = toTextModules();
await writeFiles(TEXTS, modules);
await removeOthers(
  TEXTS,
  modules.map(({ path }) => path),
);

// Imported now, because they import these modules, which may have named a removed file.
const { tools } = await import('../main/tools/index.ts');
const { writeDiagnosticsPage } = await import('./docs/diagnostics-page.ts');
const { toCapabilityDocuments, toSdkSchemas } = await import('./docs/capability-documents.ts');
const { toToolDocuments } = await import('./docs/tool-documents.ts');
const { toPatchDocuments } = await import('./docs/patch-documents.ts');
const { toTransactionSchema } = await import('./docs/transaction-schema.ts');

const documents = [
  { path: 'diagnostics.md', text: writeDiagnosticsPage() },
  ...toToolDocuments(tools),
  toTransactionSchema(),
  ...toPatchDocuments(),
  ...toCapabilityDocuments(tools),
];
await writeFiles(DOCS, documents);
await writeFiles(join(ROOT, 'packages', 'provider-sdk'), toSdkSchemas());
for (const folder of ['schemas', 'capabilities']) {
  await removeOthers(
    join(DOCS, folder),
    documents.map(({ path }) => path.replace(`${folder}/`, '')),
  );
}
