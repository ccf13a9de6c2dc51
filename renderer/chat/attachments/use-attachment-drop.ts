import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addMention } from '../../state/chat/attachment-store.ts';
import { writeInComposer } from '../../state/chat/chat-store.ts';
import { notify } from '../../state/notify.ts';
import { isScene } from '../../state/project/file-kinds.ts';
import { isFileDrag, toDraggedPath } from '../../ui/file-drag.ts';
import { addPictures } from '../../workflows/add-pictures.ts';

/** Takes what is dropped: pictures from outside, and files of the game as mentions. */
export function useAttachmentDrop(isOn: boolean) {
  const { t } = useTranslation('errors');
  const [isOver, setOver] = useState(false);
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!isOn || !isFileDrag(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop(event: DragEvent) {
      setOver(false);
      if (!isOn || !isFileDrag(event)) return;
      event.preventDefault();
      const path = toDraggedPath(event);
      if (path !== null) {
        addMention(isScene(path) ? { kind: 'scene', path } : { kind: 'asset', path });
        writeInComposer();
        return;
      }
      const files = [...event.dataTransfer.files];
      const pictures = files.filter(({ type }) => type.startsWith('image/'));
      if (pictures.length < files.length) notify({ level: 'warning', text: t('picture.type') });
      void addPictures(pictures).then(() => writeInComposer());
    },
  };
  return { isOver, handlers };
}
