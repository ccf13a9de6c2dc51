import { Button, Checkbox, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { editorStore } from '../../state/documents/editor-store.ts';
import type { WordCount } from '../../state/language/operations/replace-operations.ts';
import { setReplacing, useNavigation } from '../../state/navigation.ts';
import { useProject } from '../../state/project/project-store.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { proposeReplacement } from './propose-replacement.ts';
import { useWordCount } from './use-word-count.ts';

/** In characters. */
const MAX_LENGTH = 200;

/** The dialog that replaces words in all scenes, while it is asked for. */
export function ReplaceDialog() {
  const isOpen = useNavigation((state) => state.isReplacing);
  const game = useProject((state) => state.project?.id);
  // What it counted is of the game that was open.
  useEffect(() => (game === undefined ? undefined : () => setReplacing(false)), [game]);
  return isOpen && game !== undefined ? <OpenDialog /> : null;
}

function OpenDialog() {
  const { t } = useTranslation('project');
  const [find, setFind] = useState(readSelection);
  const [replacement, setReplacement] = useState('');
  const [isOnlyRead, setOnlyRead] = useState(true);
  const [isWholeWords, setWholeWords] = useState(false);
  const [isBusy, run] = useBusy();
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  useFocusBack();
  const wanted = { find, replacement, isOnlyRead, isWholeWords };
  const count = useWordCount(wanted);
  const misread = find === replacement ? 0 : (count?.misread ?? 0);
  const canReplace = count !== null && count.places > 0 && find !== replacement && misread === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canReplace) return;
    // Enter in the first field, before the second one was filled in, would delete the words.
    if (replacement === '' && document.activeElement === first.current) {
      second.current?.focus();
      return;
    }
    run(async () => {
      if (await proposeReplacement(wanted)) setReplacing(false);
    });
  };
  return (
    <Modal
      opened
      onClose={() => setReplacing(false)}
      title={t('replace.title')}
      size="md"
      centered
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <form onSubmit={submit}>
        <Stack gap={12}>
          <TextInput
            ref={first}
            data-autofocus
            label={t('replace.find')}
            value={find}
            maxLength={MAX_LENGTH}
            spellCheck={false}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
          <TextInput
            ref={second}
            label={t('replace.with')}
            value={replacement}
            maxLength={MAX_LENGTH}
            spellCheck={false}
            error={misread > 0 && t('replace.misread', { count: misread })}
            onChange={(event) => setReplacement(event.currentTarget.value)}
          />
          <Checkbox
            label={t('replace.onlyRead')}
            checked={isOnlyRead}
            onChange={(event) => setOnlyRead(event.currentTarget.checked)}
          />
          <Checkbox
            label={t('replace.wholeWords')}
            checked={isWholeWords}
            onChange={(event) => setWholeWords(event.currentTarget.checked)}
          />
          <span role="status">{count && <Found count={count} />}</span>
        </Stack>
        <Button type="submit" mt={12} disabled={!canReplace} loading={isBusy}>
          {/* A change of one scene is made at once, as one step of undo. */}
          {t(count?.scenes !== 1 ? 'replace.review' : replacement === '' ? 'replace.delete' : 'replace.here')}
        </Button>
      </form>
    </Modal>
  );
}

function Found({ count: { places, scenes } }: { count: WordCount }) {
  const { t, i18n } = useTranslation('project');
  if (places === 0) return t('replace.none');
  const toText = (key: 'replace.places' | 'replace.scenes', count: number) =>
    t(key, { count, formatted: count.toLocaleString(i18n.language) });
  return t('replace.found', { places: toText('replace.places', places), scenes: toText('replace.scenes', scenes) });
}

/** Returns the selected text of the open scene, if it is within one line. */
function readSelection(): string {
  const selected = editorStore.getState().cursor?.selection ?? '';
  return selected.includes('\n') ? '' : selected.slice(0, MAX_LENGTH);
}
