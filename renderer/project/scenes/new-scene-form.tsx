import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../ui/text/describe-error.ts';
import { showFile } from '../../workflows/show-file.ts';
import classes from '../project-tree.module.css';
import { createScene } from './create-scene.ts';

interface NewSceneFormProps {
  /** Called when the scene was created or the form was cancelled. */
  onDone: () => void;
}

/** A form for the name of a new scene; Enter creates and opens the scene, Escape cancels. */
export function NewSceneForm({ onDone }: NewSceneFormProps) {
  const { t } = useTranslation('project');
  const [name, setName] = useState('');
  const [error, setError] = useState<{ code?: unknown } | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) return onDone();
    try {
      const path = await createScene(name);
      onDone();
      showFile(path, 1);
    } catch (caught) {
      setError(caught as { code?: unknown });
    }
  };

  const words = () => {
    if (error?.code === 'E_CONFLICT') return t('sceneTaken');
    return error?.code === 'E_DENY_PATH' ? t('sceneNameBad') : describeError(error, t);
  };
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      <TextInput
        autoFocus
        flex={1}
        aria-label={t('sceneName')}
        placeholder={t('sceneNameExample')}
        value={name}
        spellCheck={false}
        error={error && words()}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setError(null);
        }}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
      />
      <Button type="submit" h={32} disabled={!name.trim()}>
        {t('create')}
      </Button>
    </form>
  );
}
