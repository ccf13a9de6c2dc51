import type { TFunction } from 'i18next';
import type { Claim } from '../../../shared/model/external/declaration.ts';

/** Claims that say nothing of the network or files. */
const SILENT: ReadonlySet<Claim> = new Set<Claim>(['reads', 'adds', 'destroys']);

/** Returns what another program says that its tool does: as its words, never as facts, and where it says nothing, that. */
export function describeClaims(claims: readonly Claim[], t: TFunction): string {
  const said = claims.map((claim) => t(`common:claim.${claim}`)).join(t('common:listSeparator'));
  if (said === '') return t('common:claims.none');
  const isSilent = claims.every((claim) => SILENT.has(claim));
  return t(isSilent ? 'common:claims.saidInPart' : 'common:claims.said', { claims: said });
}
