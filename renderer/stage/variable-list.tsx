import { ScrollArea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useStage } from '../state/stage/stage-store.ts';
import classes from './stage-controls.module.css';

/** Current values of the story variables. */
export function VariableList() {
  const { t } = useTranslation('stage');
  const variables = useStage((state) => state.stage.shown?.variables);
  const rows = Object.entries(variables ?? {}).sort(([one], [other]) => one.localeCompare(other));
  if (rows.length === 0) return <p className={classes.none}>{t('noVariables')}</p>;
  return (
    <ScrollArea.Autosize mah={240} type="auto">
      <table className={classes.variables}>
        <caption>{t('variables')}</caption>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{String(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea.Autosize>
  );
}
