import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { notify } from '../state/notify.ts';
import { useStage } from '../state/stage/stage-store.ts';
import { fillScreen, STAGE_FRAMES, setStageLarge, stageViewStore, useStageView } from '../state/stage/stage-view.ts';
import { closeStageWindow, openStageWindow, useStageWindow } from '../state/stage/stage-window.ts';
import { toggleTextBox } from '../workflows/stage/drive-stage.ts';
import { playAgain, playFromStart, playScene, skipToChoice } from '../workflows/stage/play-story.ts';
import { recordRoute, saveRoute } from '../workflows/stage/story-tests.ts';

/** Where the stage plays from, the shape in which it draws, and its size. */
export function StageMenu() {
  const { t } = useTranslation('stage');
  const isOff = useStage((state) => state.stage.url === null);
  const hasPlace = useStage((state) => state.stage.place !== null);
  const route = useStage((state) => state.stage.route);
  const { frame, isLarge } = useStageView((state) => state);
  const isOut = useStageWindow();
  const moveOut = () => {
    setStageLarge(false);
    if (!openStageWindow()) notify({ level: 'warning', text: t('window.refused') });
  };
  const skip = async () => {
    const failure = await skipToChoice().catch(() => 'no-choice' as const);
    if (failure === null) return;
    notify({ level: 'info', text: failure === 'no-choice' ? t('menu.noChoice') : t(`failure.${failure}`) });
  };
  return (
    <Menu position="top-end" shadow="md" withinPortal zIndex={400}>
      <Menu.Target>
        <ActionIcon variant="default" aria-label={t('menu.title')} title={t('menu.title')} disabled={isOff}>
          <IconDots size={17} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('menu.play')}</Menu.Label>
        <Menu.Item onClick={playFromStart}>{t('menu.start')}</Menu.Item>
        <Menu.Item onClick={playScene}>{t('menu.scene')}</Menu.Item>
        <Menu.Item disabled={!hasPlace} onClick={playAgain}>
          {t('menu.again')}
        </Menu.Item>
        <Menu.Item disabled={!hasPlace} onClick={() => void skip()}>
          {t('menu.skip')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('menu.route')}</Menu.Label>
        <Menu.Item onClick={recordRoute}>{t('menu.record')}</Menu.Item>
        <Menu.Item disabled={!route} onClick={() => route && saveRoute(route)}>
          {t('menu.saveRoute')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('menu.frame')}</Menu.Label>
        {STAGE_FRAMES.map((each) => (
          <Menu.Item
            key={each}
            role="menuitemradio"
            aria-checked={each === frame}
            rightSection={each === frame ? <IconCheck size={15} /> : undefined}
            onClick={() => stageViewStore.setState({ frame: each })}
          >
            {t(`frame.${each}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void toggleTextBox()}>{t('menu.textBox')}</Menu.Item>
        <Menu.Item disabled={isOut} onClick={() => void fillScreen()}>
          {t('menu.screen')}
        </Menu.Item>
        <Menu.Item disabled={isOut} onClick={() => setStageLarge(!isLarge)}>
          {t(isLarge ? 'menu.small' : 'menu.large')}
        </Menu.Item>
        <Menu.Item onClick={isOut ? closeStageWindow : moveOut}>{t(isOut ? 'window.back' : 'window.open')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
