import { useTranslation } from 'react-i18next';
import { toVisible, toVisibleText } from '../../shared/text/shown-text.ts';
import classes from './capability-details.module.css';
import { type ParameterRow, toParameterRows } from './to-parameter-rows.ts';

/** What a capability needs to know, in plain words. */
export function Parameters({ schema }: { schema: Record<string, unknown> }) {
  const { t } = useTranslation('capabilities');
  const { rows, more } = toParameterRows(schema);
  if (rows.length === 0) return <p className={classes.note}>{t('details.noParameters')}</p>;
  return (
    <>
      <ul className={classes.parameters}>
        {rows.map((row) => (
          <Parameter key={row.name} row={row} />
        ))}
      </ul>
      {more > 0 && <p className={classes.note}>{t('details.more', { count: more })}</p>}
      {rows.some(({ description }) => description !== null) && (
        <p className={classes.note}>{t('details.descriptionNote')}</p>
      )}
    </>
  );
}

function Parameter({ row }: { row: ParameterRow }) {
  const { t } = useTranslation('capabilities');
  const { name, kind, of, values, isNeeded, description } = row;
  const spoken =
    of === undefined ? t(`details.kind.${kind}`) : t('details.kind.listOf', { kind: t(`details.kind.${of}`) });
  return (
    <li>
      <code className={classes.parameter}>{toVisible(name)}</code>{' '}
      <span className={classes.kind}>
        {spoken} ·{' '}
        <span data-needed={isNeeded || undefined}>{t(isNeeded ? 'details.needed' : 'details.optional')}</span>
      </span>
      {description !== null && <p className={classes.said}>{toVisibleText(description)}</p>}
      {values.length > 0 && (
        <p className={classes.said}>
          {t('details.oneOf', { values: toVisible(values.join(t('common:listSeparator'))) })}
        </p>
      )}
    </li>
  );
}
