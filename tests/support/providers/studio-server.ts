import { crc32 } from 'node:zlib';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, type ContentBlock, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { toPng } from '../games/png-file.ts';

/**
 * A program that behaves as services for pictures, voices, translation and music do over MCP: it returns real files, and on request
 * hostile ones. Started as a process of its own.
 */

/** A picture of one colour, chosen by the prompt. */
function draw(prompt: string, [width, height]: readonly [number, number] = [64, 64]): Buffer {
  const hue = crc32(prompt);
  return toPng(width, height, { color: [hue & 255, (hue >> 8) & 255, (hue >> 16) & 255] });
}

/** A tone as WAV, 8 bits, one channel; its length follows the text. */
function speak(text: string): Buffer {
  const samples = Buffer.from(
    Array.from({ length: 800 * Math.max(1, text.length) }, (_, at) => 128 + Math.round(40 * Math.sin(at / 4))),
  );
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

const toText = (text: string): ContentBlock => ({ type: 'text', text });
const toImage = (bytes: Buffer, mimeType = 'image/png'): ContentBlock => ({
  ...{ type: 'image', mimeType },
  data: bytes.toString('base64'),
});
const toAudio = (bytes: Buffer): ContentBlock => ({
  ...{ type: 'audio', mimeType: 'audio/wav' },
  data: bytes.toString('base64'),
});

const HOSTILE: Record<string, () => ContentBlock[]> = {
  wrongType: () => [toImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'))],
  page: () => [toImage(Buffer.concat([draw('page'), Buffer.from('<script>alert(1)</script>')]), 'text/html')],
  bomb: () => [toImage(toPng(1, 1, { claimed: { width: 60_000, height: 60_000 } }))],
  many: () => Array.from({ length: 10_000 }, (_, at) => toImage(draw(`many ${at}`, [1, 1]))),
  huge: () => [toImage(Buffer.concat([draw('huge', [1, 1]), Buffer.alloc(24 * 1024 * 1024)]))],
};

interface Line {
  id: string;
  text: string;
}

const TOOLS: Record<string, { properties: Record<string, unknown>; run(args: never): ContentBlock[] }> = {
  draw: {
    properties: { prompt: { type: 'string' }, width: { type: 'integer' }, height: { type: 'integer' } },
    run: ({ prompt, width = 64, height = 64 }: { prompt: string; width?: number; height?: number }) => [
      toText(`Drawn: ${prompt}`),
      toImage(draw(prompt, [width, height])),
    ],
  },
  speak: {
    properties: { lines: { type: 'array', items: { type: 'object' } }, voice: { type: 'string' } },
    run: ({ lines }: { lines: Line[] }) =>
      lines.flatMap(({ id, text }) => [toText(`Line ${id}:`), toAudio(speak(text))]),
  },
  translate: {
    properties: { texts: { type: 'array', items: { type: 'string' } }, glossary: { type: 'object' } },
    run: ({ texts, glossary = {} }: { texts: string[]; glossary?: Record<string, string> }) =>
      texts.map((text) =>
        toText(Object.entries(glossary).reduce((done, [from, to]) => done.replaceAll(from, to), `[en] ${text}`)),
      ),
  },
  find_music: {
    properties: { mood: { type: 'string' } },
    run: ({ mood }: { mood: string }) => [toText(`1 result for ${mood}: "Rain", licence CC0`), toAudio(speak(mood))],
  },
  hostile: { properties: { kind: { type: 'string' } }, run: ({ kind }: { kind: string }) => HOSTILE[kind]?.() ?? [] },
};

const server = new Server({ name: 'studio', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: Object.entries(TOOLS).map(([name, { properties }]) => ({
    ...{ name, description: `Does ${name}.` },
    inputSchema: { type: 'object' as const, properties },
  })),
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({
  content: TOOLS[params.name]?.run((params.arguments ?? {}) as never) ?? [],
}));
await server.connect(new StdioServerTransport());
