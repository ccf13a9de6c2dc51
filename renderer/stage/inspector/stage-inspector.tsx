import { ActionIcon, Divider, ScrollArea, TextInput } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BACKGROUND_TARGET, type StageLook, toLookTarget } from '../../../shared/model/stage/stage-look.ts';
import type { StageShown, StoryValue } from '../../../shared/model/stage.ts';
import { toFigureWords, toFileName, toLookedWords, toLookWords } from '../../state/stage/figure-words.ts';
import { useStage } from '../../state/stage/stage-store.ts';
import { setOnStage, toStoryValue } from '../../workflows/stage/drive-stage.ts';
import { PoseForm } from './pose-form.tsx';
import classes from './stage-inspector.module.css';

/** What is on the stage, which can be posed, and the current values of the story variables, which can be set. */
export function StageInspector() {
  const { t } = useTranslation('stage');
  const shown = useStage((state) => state.stage.shown);
  const globals = Object.entries(shown?.globals ?? {});
  const rows = Object.entries(shown?.variables ?? {});
  return (
    <ScrollArea.Autosize mah="min(480px, 70vh)" type="auto" offsetScrollbars="present">
      <table className={classes.table}>
        <caption>{t('on.stage')}</caption>
        <tbody>
          {(shown ? toFacts(shown, t) : []).map(([name, things]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {things.length === 0
                  ? t('on.nothing')
                  : things.map((thing) => <ThingRow key={thing.pose?.target ?? thing.words} {...thing} />)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Divider my={6} />
      {rows.length + globals.length === 0 ? (
        <p className={classes.none}>{t('noVariables')}</p>
      ) : (
        <>
          <VariableTable title={t('variables')} rows={rows} isGlobal={false} />
          <VariableTable title={t('globals')} rows={globals} isGlobal />
        </>
      )}
    </ScrollArea.Autosize>
  );
}

/** Nothing without rows. */
function VariableTable({
  title,
  rows,
  isGlobal,
}: {
  title: string;
  rows: readonly [name: string, value: StoryValue][];
  isGlobal: boolean;
}) {
  if (rows.length === 0) return null;
  const sorted = [...rows].sort(([one], [other]) => one.localeCompare(other));
  return (
    <table className={classes.table}>
      <caption>{title}</caption>
      <tbody>
        {sorted.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <VariableInput key={String(value)} name={name} value={value} isGlobal={isGlobal} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A field that sets a variable of the running story on Enter or when it is left; Esc keeps the old value. */
function VariableInput({ name, value, isGlobal }: { name: string; value: StoryValue; isGlobal: boolean }) {
  const { t } = useTranslation('stage');
  const [text, setText] = useState(String(value));
  const apply = async () => {
    if (text === String(value)) return;
    if (!(await setOnStage(name, toStoryValue(text), isGlobal))) setText(String(value));
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') void apply();
    else if (event.key === 'Escape' && text !== String(value)) {
      event.stopPropagation();
      setText(String(value));
    }
  };
  return (
    <TextInput
      size="xs"
      aria-label={t(isGlobal ? 'setGlobal' : 'setVariable', { name })}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKey}
      onBlur={() => void apply()}
    />
  );
}

/** Something on the stage in words; `pose`: its name in the engine, and how it looks, where that can be changed. */
interface Thing {
  words: string;
  name: string;
  pose?: { target: string; look: StageLook | undefined };
}

/** What is on the stage: kinds with what there is of each. */
function toFacts(
  { background, figures, music, looks }: StageShown,
  t: TFunction<'stage'>,
): [kind: string, things: Thing[]][] {
  const behind = toFileName(background);
  return [
    [
      t('on.background'),
      background === ''
        ? []
        : [
            {
              words: toLookedWords(behind, looks?.background, t),
              name: behind,
              pose: { target: BACKGROUND_TARGET, look: looks?.background },
            },
          ],
    ],
    [
      t('on.figures'),
      figures.map((figure) => ({
        words: toFigureWords(figure, t),
        name: toFileName(figure.file),
        pose: { target: toLookTarget(figure), look: figure.look },
      })),
    ],
    ...(looks?.stage
      ? [[t('on.picture'), [{ words: toLookWords(looks.stage, t), name: '' }]] satisfies [string, Thing[]]]
      : []),
    [t('on.music'), music === '' ? [] : [{ words: toFileName(music), name: '' }]],
  ];
}

/** A thing on the stage, and on request the form with which its pose is changed. */
function ThingRow({ words, name, pose }: Thing) {
  const { t } = useTranslation('stage');
  const [isOpen, setOpen] = useState(false);
  if (!pose) return <div>{words}</div>;
  const label = t('pose.title', { name });
  return (
    <>
      <div className={classes.thing}>
        <span>{words}</span>
        <ActionIcon
          size="xs"
          variant={isOpen ? 'light' : 'subtle'}
          aria-label={label}
          aria-expanded={isOpen}
          title={label}
          onClick={() => setOpen(!isOpen)}
        >
          <IconAdjustmentsHorizontal size={13} stroke={1.6} />
        </ActionIcon>
      </div>
      {isOpen && <PoseForm name={name} {...pose} />}
    </>
  );
}
