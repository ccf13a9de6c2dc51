import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openFile } from '../editor/editor-store.ts';
import { showView } from '../shell/shell-store.ts';
import { describeError } from '../ui/describe-error.ts';
import { createScene } from './new-scene.ts';

/** A button that becomes a name field; Enter makes the scene and opens it, Escape forgets it. */
export function NewSceneForm() {
  const { t } = useTranslation('project');
  const [name, setName] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);

  const close = () => {
    setName(null);
    setError(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!name?.trim()) return close();
    try {
      const path = await createScene(name);
      close();
      showView('write');
      await openFile(path);
    } catch (caught) {
      setError(caught);
    }
  };

  if (name === null) {
    return (
      <Tooltip label={t('newScene')}>
        <ActionIcon aria-label={t('newScene')} onClick={() => setName('')}>
          <IconPlus size={17} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
    );
  }
  const isTaken = (error as { code?: unknown } | null)?.code === 'E_CONFLICT';
  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextInput
        autoFocus
        w={190}
        aria-label={t('sceneName')}
        placeholder={t('sceneNameExample')}
        value={name}
        error={error === null ? null : isTaken ? t('sceneTaken') : describeError(error, t)}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && close()}
        onBlur={() => error === null && !name.trim() && close()}
      />
    </form>
  );
}
