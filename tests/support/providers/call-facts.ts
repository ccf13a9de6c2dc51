import type { ProviderCall } from '../../../main/core/ports/providers/provider.ts';

/** What a call of a provider tells about its caller, where a test does not read it. */
export const CALL_FACTS: Pick<ProviderCall, 'version' | 'origin'> = {
  version: '1.0.0',
  origin: { caller: 'model', language: 'en' },
};
