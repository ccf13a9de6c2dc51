import { useTranslation } from 'react-i18next';
import { toIssueParts } from '../../../shared/model/plan/patch.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';

/** Returns a function that words an issue of a plan's validation. */
export function useIssueText(): (issue: string) => string {
  const { t } = useTranslation('chat');
  return (issue) => {
    const parts = toIssueParts(issue);
    return parts ? t(`plan.issue.${parts.code}`, { subject: toSpelled(parts.subject) }) : toSpelled(issue);
  };
}
