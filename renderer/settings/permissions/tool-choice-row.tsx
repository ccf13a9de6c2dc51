import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TOOL_CHOICES, type ToolChoice, type ToolFacts } from '../../../shared/model/capability.ts';
import { toLocalText } from '../../../shared/model/local-text.ts';
import { describeClaims } from '../../ui/text/describe-claims.ts';
import classes from './permission-settings.module.css';

interface ToolChoiceRowProps {
  tool: ToolFacts;
  /** True while the tool cannot be used, whatever is chosen. */
  isOff: boolean;
  onChoose: (tool: string, choice: ToolChoice | null) => void;
}

/** A tool with its description and permission. Selecting the recommended choice removes the user's choice. */
export function ToolChoiceRow({ tool, isOff, onChoose }: ToolChoiceRowProps) {
  const { t, i18n } = useTranslation('permissions');
  const title = toLocalText(tool.title, i18n.language);
  const notes = [
    tool.restriction && t(`restriction.${tool.restriction}`),
    !tool.available && t('unavailable'),
    tool.deprecated !== undefined && t('deprecated'),
    tool.choice !== null && `${t('changed')} · ${t('recommended', { choice: t(`choice.${tool.recommended}`) })}`,
  ].filter((note) => typeof note === 'string');
  // A restriction by the policy file is shown as the effective choice.
  const enforced =
    tool.restriction === 'never' ? 'never' : tool.restriction === 'ask' && tool.choice !== 'never' ? 'ask' : null;
  return (
    <div className={classes.tool} data-off={isOff || undefined} data-tool={tool.name}>
      <div>
        <div className={classes.name}>{title}</div>
        <p className={classes.about}>{toLocalText(tool.about, i18n.language)}</p>
        {tool.claims && <p className={classes.about}>{describeClaims(tool.claims, t)}</p>}
        {notes.length > 0 && <p className={classes.note}>{notes.join(' · ')}</p>}
      </div>
      <SegmentedControl
        size="xs"
        aria-label={t('choiceLabel', { tool: title })}
        value={enforced ?? tool.choice ?? tool.recommended}
        disabled={isOff || enforced !== null}
        data={TOOL_CHOICES.toSorted((a, b) => ORDER[a] - ORDER[b]).map((value) => ({
          value,
          label: t(`choice.${value}`),
        }))}
        onChange={(value) => onChoose(tool.name, value === tool.recommended ? null : (value as ToolChoice))}
      />
    </div>
  );
}

/** From least to most restrictive. */
const ORDER: Record<ToolChoice, number> = { allow: 0, ask: 1, never: 2 };
