import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../errors.ts';
import {
  GatewayFrame,
  OfferedCapability,
  ProviderFrame,
  parseGatewayFrame,
  parseProviderFrame,
} from './provider-frames.ts';

const NOW = '2026-01-19T10:30:00Z';
const ROLL = {
  ...{ id: 'ext.dice.roll', version: '1.0.0', type: 'context', name: 'Roll dice', description: 'Rolls dice.' },
  ...{ parameters: { type: 'object' }, risk: { level: 'low', reason: 'It only counts.' } },
};
const PROVIDER = { id: 'dice', name: 'Dice' };
const register = { protocol: '1.0.0', provider: PROVIDER, capabilities: [ROLL] };

/** One valid frame of each kind. */
const OF_PROVIDER = [
  { id: '1', type: 'register', timestamp: NOW, payload: register },
  {
    ...{ id: '1', type: 'register', timestamp: NOW },
    payload: { ...register, resume: { sessionId: 's', running: ['r1'] } },
  },
  { id: '2', type: 'heartbeat', timestamp: NOW },
  { id: '2', type: 'heartbeat', timestamp: NOW, payload: { healthy: false, note: 'busy' } },
  { id: '3', type: 'capability_update', timestamp: NOW, payload: { action: 'add', capabilities: [ROLL] } },
  { id: '3', type: 'capability_update', timestamp: NOW, payload: { action: 'remove', ids: ['ext.dice.roll'] } },
  { id: '4', type: 'progress', timestamp: NOW, correlationId: 'r1', payload: { fraction: 0.5, note: 'half' } },
  { id: '5', type: 'response', timestamp: NOW, correlationId: 'r1', payload: { success: true, data: { sum: 7 } } },
  {
    ...{ id: '6', type: 'response', timestamp: NOW, correlationId: 'r1' },
    payload: { success: false, error: { code: 'BUSINESS.OPERATION_FAILED', message: 'No dice.' } },
  },
  { id: '7', type: 'event', timestamp: NOW, payload: { eventId: 'ext.dice.rolled', data: { sum: 7 } } },
];
const config = { heartbeatInterval: 15_000, resumeWindow: 5000, maxFrameBytes: 1024, maxCalls: 16 };
const ack = { success: true, protocol: '1.0.0', sessionId: 's', resumed: false, config };
const request = {
  ...{ capabilityId: 'ext.dice.roll', version: '1.0.0', parameters: {} },
  context: { caller: 'model', traceId: 'cc9d4a3c-2f0d-4f2a-9d0e-5b7d8c3b1a11', language: 'zh-CN' },
};
const OF_GATEWAY = [
  { id: '1', type: 'register_ack', timestamp: NOW, correlationId: '1', payload: ack },
  { id: '2', type: 'heartbeat_ack', timestamp: NOW, correlationId: '2' },
  { id: '3', type: 'request', timestamp: NOW, payload: request },
  { id: '4', type: 'cancel', timestamp: NOW, correlationId: '3', payload: { reason: 'stopped' } },
  { id: '5', type: 'response', timestamp: NOW, correlationId: '3', payload: { success: true } },
  { id: '6', type: 'error', timestamp: NOW, payload: { error: { code: 'SYSTEM.RATE_LIMITED', message: 'Too many.' } } },
];

const toRefusal = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'E_BAD_ARGS') return error.message;
    throw error;
  }
  throw new Error('It was accepted.');
};

test.each(OF_PROVIDER)('reads a frame $type of a provider', (frame) => {
  expect(parseProviderFrame(JSON.stringify(frame))).toMatchObject(frame);
});

test.each(OF_GATEWAY)('reads a frame $type of the gateway', (frame) => {
  expect(parseGatewayFrame(JSON.stringify(frame))).toMatchObject(frame);
});

test('reads the frames of one direction only', () => {
  for (const frame of OF_GATEWAY.filter(({ type }) => type !== 'response')) {
    toRefusal(() => parseProviderFrame(JSON.stringify(frame)));
  }
  for (const frame of OF_PROVIDER.filter(({ type }) => type !== 'response')) {
    toRefusal(() => parseGatewayFrame(JSON.stringify(frame)));
  }
});

describe('refuses', () => {
  const all = [...OF_PROVIDER];

  test('a frame with a field too many or one too few', () => {
    for (const frame of all) {
      toRefusal(() => parseProviderFrame(JSON.stringify({ ...frame, extra: 1 })));
      for (const key of ['id', 'type', 'timestamp']) {
        toRefusal(() => parseProviderFrame(JSON.stringify({ ...frame, [key]: undefined })));
      }
      if (frame.payload === undefined) continue;
      toRefusal(() => parseProviderFrame(JSON.stringify({ ...frame, payload: { ...frame.payload, extra: 1 } })));
    }
  });

  test('an answer that names no request', () => {
    for (const { correlationId: _, ...frame } of all.filter((each) => each.correlationId !== undefined)) {
      expect(toRefusal(() => parseProviderFrame(JSON.stringify(frame)))).toContain('correlationId');
    }
  });

  test('nesting that no honest frame has, without recursion', () => {
    const deep = '['.repeat(100_000);
    const text = JSON.stringify(all[7]).replace('"sum":7', `"sum":${deep}`);
    expect(toRefusal(() => parseProviderFrame(text))).toContain('nested deeper');
  });

  test('more capabilities than a provider may offer, and a risk that is not known', () => {
    const many = { ...register, capabilities: Array.from({ length: 501 }, () => ROLL) };
    toRefusal(() => parseProviderFrame(JSON.stringify({ ...all[0], payload: many })));
    const risk = { level: 'none', reason: 'x' };
    const lax = { ...register, capabilities: [{ ...ROLL, risk }] };
    toRefusal(() => parseProviderFrame(JSON.stringify({ ...all[0], payload: lax })));
  });
});

test('any text either is a frame or is refused with one short sentence', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({
        id: fc.string(),
        type: fc.constantFrom(...OF_PROVIDER.map(({ type }) => type)),
        payload: fc.anything(),
      })
      .map((frame) => JSON.stringify(frame) ?? ''),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        expect(ProviderFrame.safeParse(parseProviderFrame(text)).success).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ code: 'E_BAD_ARGS', reason: 'provider.badFrame' });
        expect((error as AppError).message.length).toBeLessThan(700);
      }
    }),
  );
});

test('what was read can be written and read again without a change', () => {
  const data = fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 4 }));
  fc.assert(
    fc.property(fc.constantFrom(...OF_PROVIDER), fc.uuid(), data, (frame, id, extra) => {
      const payload = frame.type === 'event' ? { eventId: 'ext.dice.rolled', data: extra } : frame.payload;
      const once = parseProviderFrame(JSON.stringify({ ...frame, id, ...(payload && { payload }) }));
      expect(parseProviderFrame(JSON.stringify(once))).toEqual(once);
    }),
  );
});

test('a failure with an unknown code is read as a failed operation', () => {
  const frame = { ...OF_PROVIDER[8], payload: { success: false, error: { code: 'DICE.LOST', message: 'Lost.' } } };
  expect(parseProviderFrame(JSON.stringify(frame))).toMatchObject({
    payload: { error: { code: 'BUSINESS.OPERATION_FAILED' } },
  });
});

test('a description says what was left out', () => {
  expect(OfferedCapability.parse(ROLL)).toMatchObject({ returns: {}, effects: [], tags: [], timeoutMs: 60_000 });
  expect(GatewayFrame.safeParse({}).success).toBe(false);
});
