import { Button, Menu, useComputedColorScheme } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useProject } from '../project/project-store.ts';
import { notify, notifyError } from '../ui/notify.ts';
import { palettes } from '../ui/palette.ts';
import { saveFile } from '../ui/save-file.ts';
import { UI_FONT } from '../ui/theme.ts';
import type { PlacedMap } from './placed-map.ts';
import { toPictureScale, toPng } from './save-picture.ts';
import { toStorySvg } from './story-svg.ts';

interface StoryExportProps {
  placed: PlacedMap;
}

/** A picture smaller than this by its scale can no longer be read. */
const LEGIBLE = 0.7;

/** Saves the whole map as a picture, in the colours on the screen. */
export function StoryExport({ placed }: StoryExportProps) {
  const { t } = useTranslation('story');
  const scheme = useComputedColorScheme('light');
  const game = useProject((state) => state.project?.title) ?? '';
  const title = [game, t('title')].filter(Boolean).join(' – ');
  const save = async (format: 'svg' | 'png'): Promise<void> => {
    const svg = toStorySvg(placed, { palette: palettes[scheme], fontFamily: UI_FONT, title });
    const blob = format === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await toPng(svg, placed);
    if (format === 'png' && toPictureScale(placed.width, placed.height) < LEGIBLE) {
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
}
