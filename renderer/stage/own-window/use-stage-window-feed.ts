import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { findLocale } from '../../../shared/model/local-text.ts';
import { useProject } from '../../state/project/project-store.ts';
import { useSettings } from '../../state/settings-store.ts';
import { useStageFocus } from '../../state/stage/stage-focus.ts';
import { stopReplay } from '../../state/stage/stage-store.ts';
import { closeStageWindow, tellStageWindow } from '../../state/stage/stage-window.ts';
import type { StagePictureState } from '../../state/stage/stage-window-state.ts';

/** Keeps the stage's own window at the current picture, and closes it with the game. */
export function useStageWindowFeed(picture: StagePictureState, reload: () => void): void {
  const { i18n } = useTranslation();
  const holds = useStageFocus((state) => state.holds);
  const stoppedFor = useStageFocus((state) => state.stoppedFor);
  const game = useProject((state) => state.project?.title ?? '');
  const theme = useSettings((state) => state.settings.theme);
  const locale = findLocale(i18n.language) ?? 'en';
  useEffect(() => {
    tellStageWindow({ picture, holds, stoppedFor, game, locale, theme }, ({ kind }) =>
      kind === 'reload' ? reload() : stopReplay(),
    );
  });
  useEffect(() => closeStageWindow, []);
}
