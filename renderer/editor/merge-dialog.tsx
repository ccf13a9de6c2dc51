import { Button, Group, Modal, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type MergeChoice, type MergePart, toMergedText } from '../../shared/model/merge.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import type { OpenMerge } from '../state/documents/document.ts';
import { takeMerge } from '../state/documents/editor-store.ts';
import { useFocusBack } from '../ui/focus/use-focus-back.ts';
import classes from './merge-dialog.module.css';

type Conflict = Extract<MergePart, { kind: 'conflict' }>;

/** Maximum number of lines shown per side of a conflict. */
const MAX_LINES = 60;

interface MergeDialogProps {
  path: string;
  merge: OpenMerge;
  onClose: () => void;
}

/** Lists the conflicts of a merge, each with both texts to choose from. Both are kept by default. */
export function MergeDialog({ path, merge, onClose }: MergeDialogProps) {
  useFocusBack();
  const { t } = useTranslation('editor');
  const conflicts = merge.parts.filter((part): part is Conflict => part.kind === 'conflict');
  const [choices, setChoices] = useState<MergeChoice[]>(() => conflicts.map(() => 'both'));
  const take = () => {
    takeMerge(path, merge, toMergedText(merge.parts, choices));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('merge.title', { name: toVisible(path.split('/').at(-1) ?? path) })}
      size={860}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <p className={classes.text}>{t('merge.text', { count: conflicts.length })}</p>
      <ol className={classes.places}>
        {conflicts.map((conflict, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a conflict is identified by its index
          <li key={at} className={classes.place}>
            <Place
              conflict={conflict}
              label={t('merge.place', { number: at + 1, count: conflicts.length })}
              choice={choices[at] ?? 'both'}
              onChoose={(choice) => setChoices(choices.map((each, index) => (index === at ? choice : each)))}
            />
          </li>
        ))}
      </ol>
      <Group justify="flex-end" gap={8} mt={12}>
        <Button variant="default" onClick={onClose}>
          {t('merge.cancel')}
        </Button>
        <Button onClick={take}>{t('merge.take')}</Button>
      </Group>
    </Modal>
  );
}

interface PlaceProps {
  conflict: Conflict;
  label: string;
  choice: MergeChoice;
  onChoose: (choice: MergeChoice) => void;
}

function Place({ conflict, label, choice, onChoose }: PlaceProps) {
  const { t } = useTranslation('editor');
  return (
    <section aria-label={label}>
      <div className={classes.head}>
        <h3 className={classes.label}>{label}</h3>
        <SegmentedControl
          size="xs"
          aria-label={label}
          value={choice}
          data={[
            { value: 'theirs', label: t('merge.theirs') },
            { value: 'both', label: t('merge.both') },
            { value: 'mine', label: t('merge.mine') },
          ]}
          onChange={(value) => onChoose(value as MergeChoice)}
        />
      </div>
      <div className={classes.sides}>
        <Side title={t('merge.theirs')} lines={conflict.theirs} isWanted={choice !== 'mine'} />
        <Side title={t('merge.mine')} lines={conflict.mine} isWanted={choice !== 'theirs'} />
      </div>
    </section>
  );
}

function Side({ title, lines, isWanted }: { title: string; lines: readonly string[]; isWanted: boolean }) {
  const { t } = useTranslation('editor');
  const more = lines.length - MAX_LINES;
  const isBlank = lines.every((line) => line.trim() === '');
  return (
    <div className={classes.side} data-unwanted={!isWanted || undefined}>
      <h4 className={classes.title}>{title}</h4>
      {isBlank ? (
        <p className={classes.text}>
          {lines.length === 0 ? t('merge.nothing') : t('merge.blank', { count: lines.length })}
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
        <pre className={classes.lines} tabIndex={0}>
          {lines.slice(0, MAX_LINES).map(toVisible).join('\n')}
          {more > 0 && `\n${t('merge.more', { count: more })}`}
        </pre>
      )}
    </div>
  );
}
