import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createAuditService } from '../../../main/core/capability/audit/audit-service.ts';
import { createJournalSignature } from '../../../main/node/journal/journal-signature.ts';
import { createLineSignature } from '../../../main/node/logs/line-signature.ts';
import { createLogFile } from '../../../main/node/logs/log-file.ts';
import { createAgentFolder } from '../../../main/node/project-fs/agent-folder.ts';
import type { AuditEntry } from '../../../shared/model/audit.ts';
import { time } from '../compare.ts';

const BYTES = 100 * 1024 * 1024;
const NAME = 'audit.jsonl';
const LINES_PER_APPEND = 2000;
const ROUNDS = 3;
/** Above it a user notices a pause. */
const MAX_BLOCKED_MS = 50;
const MAX_GROWTH_MB = 100;
const SAMPLE_MS = 20;

/**
 * Measures the list of an audit log of 100 MB, filtered by a word that no line has, so that all of it is read: how long the
 * event loop is blocked at most, and how much memory it takes meanwhile.
 */
export async function* benchAuditLog(): AsyncGenerator<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'webgal-agent-bench-'));
  const folder = createAgentFolder(root);
  const signature = createJournalSignature(path.join(root, 'home'));
  const log = createLogFile({
    ...{ folder: (make) => (make ? folder.make('') : folder.find('')), name: NAME },
    signature: () => createLineSignature(signature, NAME),
  });
  try {
    await mkdir(path.join(root, '.webgal_agent'), { recursive: true });
    const lines = await fill(log);
    const bytes = await countBytes(path.join(root, '.webgal_agent', NAME));
    const plain = () => countBytes(path.join(root, '.webgal_agent', NAME));
    const service = createAuditService([log]);
    const found: Measured[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      found.push(
        await measure(async () => {
          const { total, damaged } = await service.list({ filter: { text: 'no such word' }, skip: 0, limit: 50 });
          if (total !== 0 || damaged !== 0) throw new Error('The log was not read.');
        }),
      );
    }
    const blocked = Math.min(...found.map((one) => one.blocked));
    const growth = Math.max(...found.map((one) => one.growth));
    const took = Math.min(...found.map((one) => one.took));
    const read = await time(plain);
    const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
    const name = `an audit log of ${toMegabytes(bytes)} MB (${lines} lines), searched to its end`;
    yield `${name}: blocked for ${blocked.toFixed(0)} ms at most; goal ${MAX_BLOCKED_MS} ms: ${verdict(blocked <= MAX_BLOCKED_MS)}`;
    yield `${name}: ${toMegabytes(growth)} MB of memory; goal ${MAX_GROWTH_MB} MB: ${verdict(growth <= MAX_GROWTH_MB * 1024 * 1024)}`;
    yield `${name}: ${(took / read).toFixed(1)} × reading its bytes (${took.toFixed(0)} against ${read.toFixed(0)} ms); no goal set`;
  } finally {
    await log.close();
    await rm(root, { recursive: true, force: true });
  }
}

interface Measured {
  /** The longest delay of the event loop, in milliseconds. */
  blocked: number;
  /** Bytes of memory above those before. */
  growth: number;
  /** Milliseconds. */
  took: number;
}

async function measure(work: () => Promise<void>): Promise<Measured> {
  const before = process.memoryUsage.rss();
  let highest = before;
  const sample = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const took = await time(work);
  delays.disable();
  clearInterval(sample);
  return { blocked: delays.max / 1e6, growth: highest - before, took };
}

/** Appends lines until the log is as long as wanted; returns their number. */
async function fill(log: ReturnType<typeof createLogFile>): Promise<number> {
  let count = 0;
  for (let bytes = 0; bytes < BYTES; ) {
    const entries = Array.from({ length: LINES_PER_APPEND }, () => toEntry(count++));
    await log.appendAll(entries, false);
    bytes += entries.reduce((sum, entry) => sum + Buffer.byteLength(JSON.stringify(entry)), 0);
  }
  return count;
}

function toEntry(at: number): AuditEntry {
  const path = `game/scene/chapter${at % 50}/scene${at % 5000}.txt`;
  return {
    ...{ at: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(), trace: `turn${at >> 4}`, call: `call${at}` },
    ...{ tool: at % 3 === 0 ? 'write_to_file' : 'read_file', version: '1.0.0', capability: 'project.file.read' },
    ...{ mode: 'act', args: { path, content: { characters: 2000 + (at % 900) } }, permissions: ['fs.read'] },
    ...{ decision: { effect: 'ALLOW', by: 'policy' }, outcome: 'done', ok: true, code: null, reason: null },
    ...{ ms: at % 40, files: [path], commands: [], kind: 'invoke', caller: { type: 'model', id: 'assistant' } },
  } as AuditEntry;
}

async function countBytes(file: string): Promise<number> {
  let bytes = 0;
  for await (const chunk of createReadStream(file)) bytes += (chunk as Buffer).length;
  return bytes;
}

function toMegabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
