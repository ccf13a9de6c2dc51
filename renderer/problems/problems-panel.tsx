import { Button, Collapse, ScrollArea, UnstyledButton } from '@mantine/core';
import { IconAlertTriangleFilled, IconChevronDown, IconCircleXFilled, IconInfoCircleFilled } from '@tabler/icons-react';
import { memo, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Diagnostic } from '../../shared/model/diagnostic.ts';
import { toMentionName } from '../../shared/model/message/mention.ts';
import { addMention } from '../state/chat/attachment-store.ts';
import { writeInComposer } from '../state/chat/chat-store.ts';
import { openFile, useEditor } from '../state/documents/editor-store.ts';
import { nameFiles } from '../state/problems/name-files.ts';
import { useProblems } from '../state/problems/problems-store.ts';
import { applyFix } from '../workflows/apply-fix.ts';
import { fixAllOfKind } from '../workflows/fix-all-of-kind.ts';
import { PlaceholdersButton } from './placeholders-button.tsx';
import classes from './problems-panel.module.css';
import { useRestedHeight } from './use-rested-height.ts';

const ICONS = { error: IconCircleXFilled, warning: IconAlertTriangleFilled, info: IconInfoCircleFilled } as const;
/** Maximum number of rows; the rest is only counted. */
const MAX_ROWS = 200;

/** The list of the game's problems, the open scene's first, each with its line and its fixes. */
export function ProblemsPanel() {
  const { t } = useTranslation('problems');
  const [isOpen, setOpen] = useState(true);
  const holder = useRestedHeight();
  const active = useEditor((state) => state.active);
  const list = useShownRows(active);
  const book = useProblems((state) => state.book);
  const isChecked = useProblems((state) => state.isChecked);
  useProblems((state) => state.changes);
  const rows = book.rows(active);
  const { error, warning } = book.counts;
  const notes = active === null ? 0 : book.of(active).filter(({ severity }) => severity === 'info').length;
  return (
    <section aria-label={t('region')} className={classes.panel}>
      <header className={classes.header}>
        <UnstyledButton className={classes.title} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <IconChevronDown size={14} className={classes.chevron} data-closed={!isOpen || undefined} aria-hidden />
          {t('region')}
        </UnstyledButton>
        <span className={classes.summary} role="status">
          {!isChecked
            ? t('checking')
            : error + warning === 0
              ? notes > 0
                ? t('onlyNotes', { count: notes })
                : t('none')
              : t('counts', { errors: error, warnings: warning })}
        </span>
        {book.codes.has('missing-file') && <PlaceholdersButton />}
      </header>
      <div ref={holder} className={classes.holder}>
        <Collapse expanded={isOpen && rows.length > 0}>
          <ScrollArea.Autosize mah={148} type="auto" viewportRef={list}>
            <ul className={classes.list}>
              {rows.slice(0, MAX_ROWS).map(({ first: problem, others }) => (
                <ProblemRow
                  key={`${problem.path}:${problem.line}:${problem.column}:${problem.code}`}
                  problem={problem}
                  others={others}
                  isHere={problem.path === active}
                  alike={book.fixable.get(problem.code) ?? 0}
                  files={nameFiles(book.fixableFiles(problem.code), t)}
                  isInOneFile={book.fixableFiles(problem.code).size === 1}
                />
              ))}
            </ul>
            {rows.length > MAX_ROWS && <p className={classes.more}>{t('more', { count: rows.length - MAX_ROWS })}</p>}
          </ScrollArea.Autosize>
        </Collapse>
      </div>
    </section>
  );
}

/**
 * Scrolls to the rows of the scene that is opened, which are the first. A row that opened it has the focus and stays in
 * view.
 */
function useShownRows(active: string | null): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another scene changes the order
  useLayoutEffect(() => {
    list.current?.scrollTo({ top: 0 });
    list.current?.querySelector(':focus')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return list;
}

interface ProblemRowProps {
  problem: Diagnostic;
  /** The same problem at other places. */
  others: readonly Diagnostic[];
  isHere: boolean;
  /** Number of fixable problems with the same code in the game. */
  alike: number;
  /** Names of the files that contain them. */
  files: string;
  /** Then they are fixed at once; otherwise as a proposal. */
  isInOneFile: boolean;
}

const ProblemRow = memo(function ProblemRow({ problem, others, isHere, alike, files, isInOneFile }: ProblemRowProps) {
  const { t } = useTranslation('problems');
  const Icon = ICONS[problem.severity];
  const place = isHere
    ? t('line', { line: problem.line })
    : t('fileLine', { file: problem.path.replace(/^game\/scene\//, ''), line: problem.line });
  const fix = problem.fixes?.[0];
  // Each further click goes to the next place.
  const [turn, setTurn] = useState(0);
  const open = () => {
    const places = [problem, ...others];
    const { path, line, column } = places[turn % places.length] as Diagnostic;
    setTurn(turn + 1);
    void openFile(path, { line, column });
  };
  return (
    <li className={classes.row}>
      <Icon
        size={14}
        className={classes.icon}
        data-severity={problem.severity}
        role="img"
        aria-label={t(problem.severity)}
      />
      <UnstyledButton className={classes.message} title={problem.fixHint} onClick={open}>
        <span className={classes.place}>{place}</span> {problem.message}
        {others.length > 0 && (
          <span
            className={classes.repeats}
            title={t('alsoAt', { places: toPlaces(problem, others, t('common:listSeparator')) })}
          >
            {t('times', { count: others.length + 1 })}
          </span>
        )}
      </UnstyledButton>
      <span className={classes.actions}>
        {fix && (
          <Button
            classNames={{ root: classes.fix ?? '', label: classes.fixLabel ?? '' }}
            size="compact-xs"
            variant="subtle"
            onClick={() => void applyFix(problem.path, fix)}
          >
            {fix.title}
          </Button>
        )}
        {fix && alike > 1 && (
          <Button
            size="compact-xs"
            variant="subtle"
            title={t(isInOneFile ? 'fixAllAtOnce' : 'fixAllHint', { files })}
            onClick={() => void fixAllOfKind(problem.code, { count: alike, title: fix.title })}
          >
            {t('fixAll', { count: alike })}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          onClick={() => {
            const { path, line, message } = problem;
            const mention = { kind: 'problem', path, line, message: message.slice(0, 1000) } as const;
            addMention(mention);
            writeInComposer({ text: t('askText', { name: toMentionName(mention) }), mode: 'act' });
          }}
        >
          {t('ask')}
        </Button>
      </span>
    </li>
  );
}, isSameRow);

/** Compares by content: rows are recreated with each check, and most are unchanged. */
function isSameRow(old: ProblemRowProps, now: ProblemRowProps): boolean {
  return (
    old.problem === now.problem &&
    old.isHere === now.isHere &&
    old.alike === now.alike &&
    old.files === now.files &&
    old.others.length === now.others.length &&
    old.others.every((other, index) => other === now.others[index])
  );
}

/** Maximum number of other places in a row's tooltip. */
const MAX_PLACES = 20;

function toPlaces(problem: Diagnostic, others: readonly Diagnostic[], separator: string): string {
  const toName = ({ path, line }: Diagnostic) => (path === problem.path ? line : path.slice(path.lastIndexOf('/') + 1));
  const named = [...new Set(others.map(toName))];
  return `${named.slice(0, MAX_PLACES).join(separator)}${named.length > MAX_PLACES ? ' …' : ''}`;
}
