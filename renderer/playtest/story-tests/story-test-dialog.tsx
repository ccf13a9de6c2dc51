import { Button, Loader, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toFreeName } from '../../../shared/model/playtest/route-to-test.ts';
import type { TriedRoute } from '../../../shared/model/playtest/tried-route.ts';
import { wordPlace } from '../../../shared/model/playtest/word-report.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api } from '../../api.ts';
import { type TestDraft, useStoryTests } from '../../state/playtest/story-tests-store.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { Message } from '../../ui/message.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import { toStoryValue } from '../../workflows/stage/drive-stage.ts';
import { saveTest } from '../../workflows/stage/story-tests.ts';
import { usePlaytestWords } from '../use-playtest-words.ts';
import { Expectations } from './expectations.tsx';
import { RouteSteps } from './route-steps.tsx';
import classes from './story-test-dialog.module.css';
import { type TestForm, toForm, toTest, withOffer } from './test-form.ts';

/** The longest name that a test can have. */
const MAX_NAME = 200;

/** Asks for the name of a test and what must hold, offering what its route reaches on the engine. */
export function StoryTestDialog({ draft, onClose }: { draft: TestDraft; onClose: () => void }) {
  useFocusBack();
  const { t } = useTranslation('playtest');
  const isNew = draft.at === null;
  const taken = useTakenNames(draft.at);
  const [form, setForm] = useState(() => {
    const empty = toForm(draft.test);
    const choice = toShort(empty);
    return isNew && choice !== '' ? { ...empty, name: toFreeName(t('newTest', { choice }), taken) } : empty;
  });
  const attempt = useAttempt(draft, setForm);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, run] = useBusy();
  const name = form.name.trim();
  const isTaken = taken.includes(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === '' || isTaken) return;
    setError(null);
    run(async () => {
      try {
        await attempt.stop();
        await saveTest(draft, toTest(form, toStoryValue));
        onClose();
      } catch (failure) {
        setError(failure);
      }
    });
  };
  const close = () => {
    void attempt.stop();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t(isNew ? 'testTitle.new' : 'testTitle.edit')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <form className={classes.body} onSubmit={submit}>
        <TextInput
          data-autofocus
          label={t('testName')}
          value={form.name}
          maxLength={MAX_NAME}
          error={isTaken && t('nameTaken')}
          onChange={({ currentTarget: { value } }) => setForm((before) => ({ ...before, name: value }))}
        />
        <RouteSteps form={form} onChange={setForm} />
        {draft.hasSetVariable && <p className={classes.warning}>{t('hasSetVariable')}</p>}
        <AttemptLine attempt={attempt} isOfStage={draft.shown !== null} onAgain={() => attempt.start(form)} />
        <Expectations form={form} reached={attempt.tried?.reached ?? null} onChange={setForm} />
        {error !== null && <Message tone="error" text={describeError(error, t)} />}
        <div className={classes.foot}>
          <Button variant="default" onClick={close}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" disabled={name === '' || isTaken} loading={isBusy}>
            {t('saveTest')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function useTakenNames(at: number | null): string[] {
  const tests = useStoryTests((state) => state.file?.tests);
  return (tests ?? []).filter((_, place) => place !== at).map(({ name }) => name);
}

/** The choices in a row, for the name of a new test. */
function toShort({ choose }: TestForm): string {
  const words = choose.map(({ text }) => text.trim()).join(' → ');
  return words.length > 80 ? `${words.slice(0, 79)}…` : words;
}

interface Attempt {
  isRunning: boolean;
  tried: TriedRoute | null;
  error: unknown;
  start: (form: Pick<TestForm, 'choose' | 'inputs'>) => void;
  /** Ends a run that is under way; resolves when another can begin. */
  stop: () => Promise<void>;
}

/** Plays the route once without a window, when the dialog opens and on request, and offers in the form what it reached. */
function useAttempt(draft: TestDraft, setForm: (change: (form: TestForm) => TestForm) => void): Attempt {
  const [state, setState] = useState<Pick<Attempt, 'isRunning' | 'tried' | 'error'>>({
    ...{ isRunning: true, tried: null, error: null },
  });
  const running = useRef<Promise<void> | null>(null);
  const isNew = draft.at === null;
  const start = useCallback<Attempt['start']>(
    ({ choose, inputs }) => {
      const route = toTest({ ...toForm(draft.test), choose, inputs }, toStoryValue);
      setState((before) => ({ ...before, isRunning: true, error: null }));
      running.current = api
        .call('playtest.tryRoute', { source: draft.source, choose: route.choose, inputs: route.inputs })
        .then(
          (tried) => {
            setState({ isRunning: false, tried, error: null });
            // What a route reached that could not be repeated is no proposal.
            setForm((form) => withOffer(form, tried.reached, isNew && tried.result.failure === null));
          },
          (error: unknown) => {
            setState({ isRunning: false, tried: null, error });
            const { shown } = draft;
            if (shown) setForm((form) => withOffer(form, toSeen(shown), isNew));
          },
        )
        .finally(() => {
          running.current = null;
        });
    },
    [draft, isNew, setForm],
  );
  useEffect(() => start(toForm(draft.test)), [start, draft]);
  const stop = async () => {
    if (running.current === null) return;
    await api.call('playtest.stop', {});
    await running.current;
  };
  return { ...state, start, stop };
}

/** What the stage shows, where the route cannot be played without a window. */
function toSeen({ scene, variables }: NonNullable<TestDraft['shown']>): TriedRoute['reached'] {
  return { ending: null, scenes: scene === '' ? [] : [scene], variables };
}

interface AttemptLineProps {
  attempt: Attempt;
  /** True: what the stage shows is offered where the route cannot be played. */
  isOfStage: boolean;
  onAgain: () => void;
}

/** Says how far the route was played, and offers to play it again. */
function AttemptLine({ attempt, isOfStage, onAgain }: AttemptLineProps) {
  const { t } = useTranslation('playtest');
  const translate = usePlaytestWords();
  const { isRunning, tried, error } = attempt;
  if (isRunning) {
    return (
      <p className={classes.line} role="status">
        <Loader size={14} color="gray" /> {t('tries')}
      </p>
    );
  }
  const failure = tried?.result.failure ?? null;
  const words =
    error !== null
      ? isOfStage
        ? t('triedNot', { why: describeError(error, t) })
        : describeError(error, t)
      : failure !== null
        ? t('triedFailed', { why: toVisible(translate(`failure.${failure.reason}`, failure)) })
        : t(tried?.reached.ending === null ? 'triedOn' : 'triedEnd', {
            place: tried === null ? '' : toVisible(wordPlace(tried.result.place)),
          });
  return (
    <div className={classes.line} role="status" data-failed={error !== null || failure !== null || undefined}>
      <span>{words}</span>
      <Button size="compact-xs" variant="light" onClick={onAgain}>
        {t('tryAgain')}
      </Button>
    </div>
  );
}
