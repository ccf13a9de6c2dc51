import { Button } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { PieceDependency } from '../../../shared/script/references/piece-dependencies.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { hunkPlace, takePieces } from '../../state/review/review-reducer.ts';
import { changeReview, useReview } from '../../state/review/review-store.ts';
import { fileName } from '../../ui/text/file-name.ts';
import classes from './dependency-notice.module.css';

/** Dependencies that are listed one by one. */
const MAX_LISTED = 4;

/** Warns that ticked changes use what only unticked ones define, before half of them is accepted. */
export function DependencyNotice({ dependencies }: { dependencies: readonly PieceDependency[] }) {
  const { t } = useTranslation('review');
  const needs = dependencies.flatMap((dependency) => dependency.needs);
  const more = dependencies.length - MAX_LISTED;
  return (
    <section className={classes.root} role="alert">
      <IconLink size={16} aria-hidden />
      <div className={classes.words}>
        <ul className={classes.list}>
          {dependencies.slice(0, MAX_LISTED).map((dependency) => (
            <li key={`${dependency.kind}:${dependency.by.path}:${dependency.name}`}>
              <Sentence dependency={dependency} />
            </li>
          ))}
        </ul>
        {more > 0 && <p className={classes.more}>{t('needs.more', { count: more })}</p>}
      </div>
      <Button variant="default" size="compact-sm" onClick={() => changeReview((state) => takePieces(state, needs))}>
        {t('needs.take', { count: countPlaces(needs) })}
      </Button>
    </section>
  );
}

function Sentence({ dependency: { kind, name, by, needs } }: { dependency: PieceDependency }) {
  const { t } = useTranslation('review');
  const [first] = needs;
  const number = useReview((state) => hunkPlace({ ...state, ...by }).number);
  const other = useReview((state) => (first ? hunkPlace({ ...state, ...first }).number : 0));
  const shown = toVisible(kind === 'scene' ? fileName(name) : name);
  return t(`needs.${kind}`, { number, other, name: shown });
}

function countPlaces(places: PieceDependency['needs']): number {
  return new Set(places.map(({ path, hunk }) => `${hunk}:${path}`)).size;
}
