import type { TFunction } from 'i18next';
import type { UpdateState } from '../../../shared/model/updates.ts';

/** Formats the update state as one sentence. A version has only letters, digits and dots (`check-feed.ts`): safe to embed. */
export function toUpdateSentence({ phase, support }: UpdateState, t: TFunction<'settings'>): string {
  switch (phase.status) {
    case 'idle':
      return '';
    case 'checking':
    case 'current':
      return t(`updates.${phase.status}`);
    case 'older':
    case 'unsupported':
      return t(`updates.${phase.status}`, { version: phase.version });
    case 'available': {
      const version = phase.offer.version;
      return support === 'byHand' ? t('updates.byHand', { version }) : t('updates.available', { version });
    }
    case 'downloading':
      return t('updates.downloading', { version: phase.offer.version });
    case 'ready':
      return t('updates.ready', { version: phase.offer.version });
    case 'failed':
      return t(`updates.problem.${phase.problem}`);
  }
}
