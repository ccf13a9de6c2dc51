import { toModelSight } from '../../../shared/model/provider-catalog.ts';
import { useChat } from '../../state/chat/chat-store.ts';
import { useSettings } from '../../state/settings-store.ts';

/** False while the chosen model is known to see no pictures. */
export function useCanSee(): boolean {
  const isPractice = useChat((state) => state.chat?.practice ?? false);
  const sees = useSettings(({ settings: { provider, choices }, providers }) => {
    if (provider === null) return null;
    const model = choices[provider]?.model || providers.find(({ id }) => id === provider)?.models[0]?.id || '';
    return toModelSight(provider, model.trim(), choices[provider]?.limits);
  });
  return isPractice || sees !== false;
}
