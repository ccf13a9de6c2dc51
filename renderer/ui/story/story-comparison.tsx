import { diffArrays } from 'diff';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hunk } from '../../../shared/model/diff.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { StoryBeatRow } from './story-beat-row.tsx';
import classes from './story-comparison.module.css';
import { type StorySection, toStorySections } from './story-diff.ts';

/** A longer search would freeze the page; the text view has a worker for it. */
const DIFF_TIMEOUT_MS = 30;
/** More changed lines are not drawn: the list is not virtual. */
const MAX_CHANGED_LINES = 600;

/** Returns the sections of what differs between two texts of a scene; null if there is too much to show as a story. */
export function toComparedSections(before: string, after: string): StorySection[] | null {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const changes = diffArrays(old, now, { timeout: DIFF_TIMEOUT_MS });
  if (!changes) return null;
  const hunks: Hunk[] = [];
  let [startOld, startNew] = [1, 1];
  let [linesOld, linesNew]: [string[], string[]] = [[], []];
  const close = () => {
    const [lenOld, lenNew] = [linesOld.length, linesNew.length];
    if (lenOld + lenNew > 0) hunks.push({ startOld, lenOld, startNew, lenNew, linesOld, linesNew });
    startOld += lenOld;
    startNew += lenNew;
    [linesOld, linesNew] = [[], []];
  };
  for (const { value, count, added, removed } of changes) {
    if (removed) linesOld.push(...value);
    else if (added) linesNew.push(...value);
    else {
      close();
      startOld += count;
      startNew += count;
    }
  }
  close();
  if (hunks.reduce((sum, { lenOld, lenNew }) => sum + lenOld + lenNew, 0) > MAX_CHANGED_LINES) return null;
  return toStorySections({ before: toSpelled(before), after: toSpelled(after), hunks });
}

/** What differs between two texts of a scene, as a story; read-only. */
export function StoryComparison({ sections, label }: { sections: readonly StorySection[]; label: string }) {
  const { t } = useTranslation('review');
  const shown = useMemo(() => sections.filter((each) => each.kind !== 'context' || each.beats.length > 0), [sections]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
    <section className={classes.root} tabIndex={0} aria-label={label}>
      {shown.map((section) =>
        section.kind === 'gap' ? (
          <p key={section.id} className={classes.gap}>
            {t('story.gap', { count: section.lines })}
          </p>
        ) : (
          <ul key={section.id} className={classes.beats} data-change={section.kind === 'change' || undefined}>
            {section.beats.map((beat) => (
              <StoryBeatRow key={beat.id} beat={beat} problems={[]} />
            ))}
            {section.beats.length === 0 && <li className={classes.gap}>{t('story.blank')}</li>}
          </ul>
        ),
      )}
    </section>
  );
}
