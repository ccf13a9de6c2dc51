import { Button, Tooltip } from '@mantine/core';
import { IconPencil, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import type { ProposedFile } from '../../../shared/model/proposal.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { toStageUrl } from '../../state/project/file-kinds.ts';
import { isTicked } from '../../state/review/piece-choices.ts';
import { goToHunk, hunkPlace, startEditing } from '../../state/review/review-reducer.ts';
import { changeReview, reviewStore, useReview } from '../../state/review/review-store.ts';
import { useStage } from '../../state/stage/stage-store.ts';
import { StoryBeatRow } from '../../ui/story/story-beat-row.tsx';
import { type StoryBeat, type StorySection, toStorySections } from '../../ui/story/story-diff.ts';
import { StoryPictureContext } from '../../ui/story/story-parts.tsx';
import { fileName } from '../../ui/text/file-name.ts';
import { playChange } from '../../workflows/play-change.ts';
import { PieceEditor } from '../pieces/piece-editor.tsx';
import { PieceTick } from '../pieces/piece-tick.tsx';
import { StepHeading } from '../steps/step-heading.tsx';
import { useStepGroups } from '../steps/use-step-groups.ts';
import classes from './story-view.module.css';

interface StoryViewProps {
  /** With the edits of the user. */
  file: ProposedFile;
  /** As the assistant proposes it. */
  proposed: ProposedFile;
  /** Problems that the proposal would cause, in any file. */
  problems: readonly Diagnostic[];
}

/** The proposal as a story: speakers, stage directions and targets of choices. */
export function StoryView({ file, proposed, problems }: StoryViewProps) {
  const { t } = useTranslation('review');
  const sections = useMemo(() => toStorySections(toSpelledFile(file)), [file]);
  const ownProblems = useMemo(() => problems.filter(({ path }) => path === file.path), [problems, file.path]);
  const scroller = useRef<HTMLElement>(null);
  const url = useStage((state) => state.stage.url);
  const toPicture = useMemo(() => (path: string) => (url ? toStageUrl(url, path) : null), [url]);
  /** After a step to a change, that one is current although another may be in the middle, until the user scrolls. */
  const isStepped = useRef(false);
  const jumps = useReview((state) => state.jumps);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of a jump is a trigger
  useEffect(() => {
    const { hunk } = reviewStore.getState();
    isStepped.current = true;
    const change = scroller.current?.querySelector(`[data-hunk="${hunk}"]`);
    change?.scrollIntoView({ block: hunk === 0 ? 'center' : 'start' });
  }, [jumps, file.path]);

  const onScroll = () => {
    const element = scroller.current;
    if (element && !isStepped.current) followScroll(element);
  };
  const letScroll = () => {
    isStepped.current = false;
  };
  return (
    <section
      className={classes.root}
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
      tabIndex={0}
      aria-label={t('story.label', { path: fileName(file.path) })}
      onScroll={onScroll}
      onWheel={letScroll}
      onTouchMove={letScroll}
      // The scroll bar; a click on a control does not scroll.
      onPointerDown={({ target }) => target === scroller.current && letScroll()}
      onKeyDown={({ key }) => SCROLL_KEYS.has(key) && letScroll()}
    >
      {file.after === null && <p className={classes.deleted}>{t('story.deletedFile')}</p>}
      <StoryPictureContext value={toPicture}>
        {sections.map((section) => (
          <Section key={section.id} section={section} file={file} proposed={proposed} problems={ownProblems} />
        ))}
      </StoryPictureContext>
    </section>
  );
}

const SCROLL_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);

/** Makes invisible and confusable characters of the texts visible. Keeps the line structure. */
function toSpelledFile({ before, after, hunks }: ProposedFile): Pick<ProposedFile, 'before' | 'after' | 'hunks'> {
  return { before: before && toSpelled(before), after: after && toSpelled(after), hunks };
}

/** Updates the current change from the scroll position. */
function followScroll(element: HTMLElement): void {
  const middle = element.getBoundingClientRect().top + element.clientHeight * 0.4;
  const changes = [...element.querySelectorAll<HTMLElement>('[data-hunk]')];
  const reached = changes.findLast((change) => change.getBoundingClientRect().top <= middle);
  const hunk = Number((reached ?? changes[0])?.dataset.hunk ?? 0);
  if (hunk !== reviewStore.getState().hunk) changeReview((state) => goToHunk(state, hunk));
}

interface SectionProps<S extends StorySection> extends StoryViewProps {
  section: S;
}

function Section({ section, file, proposed, problems }: SectionProps<StorySection>) {
  const { t } = useTranslation('review');
  if (section.kind === 'gap') {
    return (
      <p className={classes.gap}>
        <span>{t('story.gap', { count: section.lines })}</span>
      </p>
    );
  }
  if (section.kind === 'context') {
    return <Beats beats={section.beats} problems={problems} />;
  }
  return <Change section={section} file={file} proposed={proposed} problems={problems} />;
}

const NO_PROBLEMS: readonly Diagnostic[] = [];

function Beats({ beats, problems }: { beats: readonly StoryBeat[]; problems: readonly Diagnostic[] }) {
  return (
    <ul className={classes.beats}>
      {beats.map((beat) => {
        const own = beat.mark === 'removed' ? [] : problems.filter(({ line }) => beat.lines.includes(line));
        return <StoryBeatRow key={beat.id} beat={beat} problems={own.length > 0 ? own : NO_PROBLEMS} />;
      })}
    </ul>
  );
}

function Change({ section, file, proposed, problems }: SectionProps<Extract<StorySection, { kind: 'change' }>>) {
  const { t } = useTranslation('review');
  const { path } = file;
  const { hunk } = section;
  const isCurrent = useReview((state) => state.hunk === hunk);
  const isTaken = useReview((state) => isTicked(state, path, hunk));
  const isEdited = useReview((state) => state.edits.get(path)?.has(hunk) === true);
  const isOpen = useReview(({ editing }) => editing?.path === path && editing.hunk === hunk);
  const canEdit = useReview((state) => state.proposal?.state === 'review') && file.after !== null;
  const number = useReview((state) => hunkPlace({ ...state, hunk: 0 }).number) + hunk;
  const heading = t('change.number', { number });
  const steps = useStepGroups();
  const group = steps?.of(path, hunk);
  const isFirstOfGroup = hunk === 0 || steps?.of(path, hunk - 1) !== group;
  return (
    <section
      className={classes.change}
      data-hunk={hunk}
      data-current={isCurrent || undefined}
      data-left={!isTaken || undefined}
      aria-label={heading}
    >
      {group && isFirstOfGroup && (
        <div className={classes.step}>
          <StepHeading group={group} />
        </div>
      )}
      <header className={classes.head}>
        <PieceTick path={path} hunk={hunk} number={number} />
        <h3 className={classes.number}>{heading}</h3>
        <span className={classes.note}>
          {isEdited && t('piece.byUser')}
          {isEdited && !isTaken && ' · '}
          {!isTaken && t('piece.left')}
        </span>
        {canEdit && (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconPencil size={13} />}
            aria-label={`${heading}: ${t('piece.edit')}`}
            aria-expanded={isOpen}
            onClick={() => changeReview((state) => startEditing(state, { path, hunk }))}
          >
            <span className={classes.word}>{t('piece.edit')}</span>
          </Button>
        )}
        {file.after !== null && (
          <Tooltip label={t('change.playHint')}>
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconPlayerPlay size={13} />}
              aria-label={`${heading}: ${t('change.play')}`}
              onClick={() => {
                changeReview((state) => goToHunk(state, hunk));
                playChange(file, hunk);
              }}
            >
              <span className={classes.word}>{t('change.play')}</span>
            </Button>
          </Tooltip>
        )}
      </header>
      {isOpen && <PieceEditor key={proposed.version} file={proposed} hunk={hunk} number={number} />}
      <div className={classes.body}>
        {section.beats.length === 0 ? (
          <p className={classes.blank}>{t('story.blank')}</p>
        ) : (
          <Beats beats={section.beats} problems={problems} />
        )}
      </div>
    </section>
  );
}
