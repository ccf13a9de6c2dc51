import { Button, Menu, useComputedColorScheme } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { notify, notifyError } from '../../state/notify.ts';
import { useProject } from '../../state/project/project-store.ts';
import { saveFile } from '../../ui/save-file.ts';
import { palettes } from '../../ui/theme/palette.ts';
import { UI_FONT } from '../../ui/theme/theme.ts';
import { storyClient } from '../story-client.ts';
import { toPictureScale, toPng } from './save-picture.ts';

interface StoryExportProps {
  /** Number of nodes of the whole map. */
  boxes: number;
}

/** Minimum scale at which text of an exported image is readable. */
const MIN_READABLE_SCALE = 0.7;
/** From more nodes on, the layout takes so long that a notification is shown. */
const NOTICE_ABOVE_NODES = 300;

/** Exports the whole map as an image, with every chapter open, in the current color scheme. */
export const StoryExport = memo(function StoryExport({ boxes }: StoryExportProps) {
  const { t } = useTranslation('story');
  const scheme = useComputedColorScheme('light');
  const game = useProject((state) => state.project?.title) ?? '';
  const title = [game, t('title')].filter(Boolean).join(' – ');
  const save = async (format: 'svg' | 'png'): Promise<void> => {
    if (boxes > NOTICE_ABOVE_NODES) notify({ level: 'info', text: t('export.drawing', { count: boxes }) });
    const look = { palette: palettes[scheme], fontFamily: UI_FONT, title };
    const { svg, ...size } = await storyClient().call('picture', { look });
    const blob = format === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await toPng(svg, size);
    if (format === 'png' && toPictureScale(size.width, size.height) < MIN_READABLE_SCALE) {
      notify({ level: 'info', text: t('export.small') });
    }
    saveFile(blob, `${title}.${format}`);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          {t('export.label')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['svg', 'png'] as const).map((format) => (
          <Menu.Item key={format} onClick={() => void save(format).catch(notifyError)}>
            {t(`export.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
