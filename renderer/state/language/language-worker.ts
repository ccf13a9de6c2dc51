import { createLanguageOperations, type LanguageOperations } from './language-operations.ts';

const operations = createLanguageOperations();

self.onmessage = ({ data }: MessageEvent<{ id: number; name: keyof LanguageOperations; input: never }>) => {
  const { id, name, input } = data;
  try {
    const operation: (input: never) => unknown = operations[name];
    self.postMessage({ id, value: operation(input) });
  } catch (error) {
    self.postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
  }
};
