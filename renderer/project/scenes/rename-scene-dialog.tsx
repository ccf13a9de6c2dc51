import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectFile } from '../../../shared/model/project.ts';
import { toShortName } from '../../state/project/file-kinds.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import { renameScene } from './change-scene.ts';

interface RenameSceneDialogProps {
  scene: ProjectFile;
  onClose: () => void;
}

/** Asks for a scene's new name, and opens the review of the change. */
export function RenameSceneDialog({ scene, onClose }: RenameSceneDialogProps) {
  const { t } = useTranslation('project');
  const old = toShortName(scene).replace(/\.txt$/i, '');
  const [name, setName] = useState(old);
  const [error, setError] = useState<{ code?: unknown } | null>(null);
  const [isBusy, run] = useBusy();
  useFocusBack();
  const wanted = name.trim();
  const canRename = wanted !== '' && wanted !== old;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canRename) return;
    run(async () => {
      try {
        await renameScene(scene, wanted);
        onClose();
      } catch (caught) {
        setError(caught as { code?: unknown });
      }
    });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('scene.renameTitle', { name: old })}
      size="sm"
      centered
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <form onSubmit={submit}>
        <TextInput
          data-autofocus
          label={t('scene.newName')}
          description={t('scene.renameNote')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={name}
          maxLength={200}
          spellCheck={false}
          error={error && (error.code === 'E_DENY_PATH' ? t('sceneNameBad') : describeError(error, t))}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setError(null);
          }}
        />
        <Button type="submit" mt={12} disabled={!canRename} loading={isBusy}>
          {t('scene.review')}
        </Button>
      </form>
    </Modal>
  );
}
