import { createSerialQueue } from '../../../../shared/async.ts';
import type { Settings } from '../../../../shared/model/settings.ts';
import type { ProviderEvent, ProviderGateway } from '../../ports/providers/gateway.ts';

/** Starts and stops the gateway as the user's settings say. */
export interface GatewayControl {
  follow(settings: Pick<Settings, 'providerGateway'>): void;
  /** The address while it listens; null while it does not. */
  url(): string | null;
  dispose(): Promise<void>;
}

interface GatewayControlOptions {
  /** Null on a host that lets no providers connect. */
  gateway: ProviderGateway | null;
  onEvent: (event: ProviderEvent) => void;
  onChange: () => void;
  onFault: (fault: { where: string; error: unknown }) => void;
}

export function createGatewayControl({ gateway, onEvent, onChange, onFault }: GatewayControlOptions): GatewayControl {
  const queue = createSerialQueue();
  let running: { url: string; close(): Promise<void> } | null = null;

  const stop = async (): Promise<void> => {
    const closing = running;
    running = null;
    await closing?.close();
  };

  return {
    follow({ providerGateway }) {
      if (gateway === null) return;
      queue
        .run(async () => {
          const before = running;
          if (providerGateway) running ??= await gateway.start(onEvent);
          else await stop();
          if (running !== before) onChange();
        })
        .catch((error: unknown) => onFault({ where: 'provider gateway', error }));
    },
    url: () => running?.url ?? null,
    dispose: () => queue.run(stop),
  };
}
