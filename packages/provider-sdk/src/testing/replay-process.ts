import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Provider } from '../create-provider.ts';
import type { JsonObject, JsonSchema } from '../types.ts';
import { closeNetwork } from './close-network.ts';
import { compile, toProblem } from './frame-schema.ts';
import type { Recording, ReplayReport } from './replay.ts';

closeNetwork();
/** The process that `replay` starts: reads recorded calls, and prints a report as its last line. */
const { provider } = (await import(pathToFileURL(process.argv[2] ?? '').href)) as { provider: Provider };
const calls = JSON.parse(await text(process.stdin)) as Recording[];
const described = provider.describe().capabilities as {
  id: string;
  version: string;
  parameters: JsonSchema;
  returns: JsonSchema;
}[];
const report: ReplayReport = { passed: 0, failed: [] };

async function findProblem({ capability, parameters, told, response, error }: Recording): Promise<string | null> {
  const known = described.find(({ id }) => id === capability);
  if (!known) return 'it is not offered';
  const accepts = compile(known.parameters);
  if (!accepts(parameters)) return `the parameters do not fit: ${toProblem(accepts)}`;
  let data: JsonObject;
  try {
    data = await provider.run(capability, parameters, {
      version: known.version,
      caller: 'model',
      language: 'en',
      ...told,
    });
  } catch (failure) {
    const code = failure instanceof Error && 'code' in failure ? String(failure.code) : 'SYSTEM.INTERNAL_ERROR';
    return code === error ? null : `it failed with ${code}: ${failure instanceof Error ? failure.message : ''}`;
  }
  if (error !== undefined) return `it did not fail with ${error}`;
  const fits = compile(known.returns);
  if (!fits(data)) return `the result does not fit: ${toProblem(fits)}`;
  const isSame = response === undefined || isDeepStrictEqual(data, response);
  return isSame ? null : `the result is another one: ${JSON.stringify(data).slice(0, 500)}`;
}

for (const [call, recording] of calls.entries()) {
  const problem = await findProblem(recording);
  if (problem === null) report.passed += 1;
  else report.failed.push({ call, capability: recording.capability, problem });
}
process.stdout.write(`\n${JSON.stringify(report)}\n`, () => process.exit(0));
