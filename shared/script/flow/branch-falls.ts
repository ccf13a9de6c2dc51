import { say } from '../../i18n/diagnostics.ts';
import type { LineRecord } from '../syntax/analyze-line.ts';
import type { PlacedFinding } from '../syntax/line-report.ts';
import { type FlowLink, linksByStep } from './flow-structure.ts';
import type { FlowSummary } from './flow-summary.ts';

/** Limits the menus that are compared per label. */
const MAX_MENUS = 8;

/**
 * Adds a finding for branches of a menu that continue into another branch of the same menu. The label where the branches join again is
 * excluded: it is the last of the menu's labels, unless that branch jumps further down as well.
 */
export function addBranchFalls(
  records: readonly LineRecord[],
  { structure, blocks, linkLines }: FlowSummary,
  found: PlacedFinding[],
): void {
  const { links } = structure;
  if (!links.some(isOption)) return;
  const menus = new Map<number, { from: number; line: number; last: number }[]>();
  const lastOf = new Map<number, number>();
  for (const link of links) {
    if (link.kind === 'go' && link.how === 'option')
      lastOf.set(link.from, Math.max(lastOf.get(link.from) ?? 0, link.to));
  }
  for (const [at, { kind, how, from, to }] of links.entries()) {
    if (kind !== 'go' || how !== 'option' || to <= from) continue;
    const known = menus.get(to);
    const menu = { from, line: linkLines[at] ?? 0, last: lastOf.get(from) ?? to };
    if (known === undefined) menus.set(to, [menu]);
    else if (known.length < MAX_MENUS && known.at(-1)?.from !== from) known.push(menu);
  }
  if (menus.size === 0) return;
  const starts = linksByStep(structure);
  const linksOf = (step: number) => links.slice(starts[step], starts[step + 1]);
  let branch = -1;
  for (let step = 0; step < structure.steps; step += 1) {
    if (step === 0 || structure.reached[step - 1] === 0 || !linksOf(step - 1).some(isFall)) branch = -1;
    const here = menus.get(step);
    if (here === undefined) continue;
    const common =
      branch < 0 ? undefined : here.find(({ from }) => menus.get(branch)?.some((menu) => menu.from === from));
    const label = blocks[step]?.label;
    if (common !== undefined && label && (step < common.last || jumpsForward(step, { blocks, linksOf }))) {
      const line = blocks[step]?.first ?? 0;
      const reference = records[line]?.references?.find(({ role }) => role === 'label');
      found.push({
        line,
        finding: {
          code: 'branch-falls-through',
          start: reference?.start ?? 0,
          end: reference?.end ?? 0,
          values: { from: blocks[branch]?.label ?? '', label },
          related: [
            {
              line: common.line,
              start: 0,
              end: records[common.line]?.text.length ?? 0,
              message: say('notes.bothMenus'),
            },
          ],
        },
      });
    }
    branch = step;
  }
}

const isOption = (link: FlowLink) => link.how === 'option';
const isFall = (link: FlowLink) => link.how === 'falls' || link.kind === 'call';

/** True when the lines from a label to the next one end in a jump further down. */
function jumpsForward(
  label: number,
  flow: { blocks: FlowSummary['blocks']; linksOf(step: number): readonly FlowLink[] },
): boolean {
  for (let step = label; step < flow.blocks.length; step += 1) {
    if (step > label && flow.blocks[step]?.label !== null) return false;
    const links = flow.linksOf(step);
    if (!links.some(isFall)) return links.some(({ kind, how, to }) => kind === 'go' && how === 'leads' && to > step);
  }
  return false;
}
