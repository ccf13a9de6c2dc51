import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { createSerialQueue } from '../../../shared/async.ts';
import { RiskLevel, toStricterRisk } from '../../../shared/model/capability/risk-matrix.ts';
import type { RiskStore } from '../../core/ports/stores/risk-store.ts';
import { writeDurably } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';

const FILE = 'provider-risks.json';
/** More are not stored, so that a program that offers ever new ids cannot remove what is known of others. */
const MAX_RISKS = 20_000;

/** Creates the store in the app's own folder, which no program that connects can write. */
export function createRiskStore(dataFolder: string): RiskStore {
  const file = path.join(dataFolder, FILE);
  const queue = createSerialQueue();

  async function read(): Promise<Map<string, RiskLevel>> {
    try {
      const bytes = await readPrivateFile(file, FILE);
      const stored = z.record(z.string(), z.unknown()).parse(JSON.parse(bytes?.toString() ?? '{}'));
      return new Map(
        Object.entries(stored).flatMap(([id, value]) => {
          const risk = RiskLevel.safeParse(value);
          return risk.success ? [[id, risk.data]] : [];
        }),
      );
    } catch {
      // The declarations of the programs still count.
      return new Map();
    }
  }

  return {
    read: () => queue.run(read),
    raise: (risks) =>
      queue.run(async () => {
        try {
          const stored = await read();
          for (const [id, risk] of risks) {
            const before = stored.get(id);
            if (before === undefined && stored.size >= MAX_RISKS) continue;
            stored.set(id, before === undefined ? risk : toStricterRisk(before, risk));
          }
          await mkdir(dataFolder, { recursive: true, mode: 0o700 });
          await writeDurably(file, `${JSON.stringify(Object.fromEntries(stored), null, 2)}\n`, 0o600);
        } catch (error) {
          throw toIoError(error, FILE);
        }
      }),
  };
}
