import { Divider, ScrollArea, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StageShown, StoryValue } from '../../shared/model/stage.ts';
import { toFigureWords, toFileName, toLookedWords, toLookWords } from '../state/stage/figure-words.ts';
import { useStage } from '../state/stage/stage-store.ts';
import { setOnStage, toStoryValue } from '../workflows/stage/drive-stage.ts';
import classes from './stage-controls.module.css';

/** What is on the stage, and the current values of the story variables, which can be set. */
export function VariableList() {
  const { t } = useTranslation('stage');
  const shown = useStage((state) => state.stage.shown);
  const globals = Object.entries(shown?.globals ?? {});
  const rows = Object.entries(shown?.variables ?? {});
  const facts = shown ? toFacts(shown, t) : [];
  return (
    <ScrollArea.Autosize mah={320} type="auto">
      <table className={classes.variables}>
        <caption>{t('on.stage')}</caption>
        <tbody>
          {facts.map(([name, values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{values.length === 0 ? t('on.nothing') : values.map((value) => <div key={value}>{value}</div>)}</td>
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
    <table className={classes.variables}>
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

/** What is on the stage: names with what there is of each. */
function toFacts(
  { background, figures, music, looks }: StageShown,
  t: TFunction<'stage'>,
): [name: string, values: string[]][] {
  return [
    [t('on.background'), background === '' ? [] : [toLookedWords(toFileName(background), looks?.background, t)]],
    ...(looks?.stage ? [[t('on.picture'), [toLookWords(looks.stage, t)]] satisfies [string, string[]]] : []),
    [t('on.figures'), figures.map((figure) => toFigureWords(figure, t))],
    [t('on.music'), music === '' ? [] : [toFileName(music)]],
  ];
}
