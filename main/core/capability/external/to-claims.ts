import type { Permission } from '../../../../shared/model/capability.ts';
import { CLAIMS, type Claim } from '../../../../shared/model/external/declaration.ts';
import type { OfferedCapability } from '../../ports/providers/provider.ts';

const OF_EFFECT: Record<Permission, Claim> = {
  'fs.read': 'fileRead',
  'fs.write': 'fileWrite',
  'fs.delete': 'fileDelete',
  'proc.exec': 'programs',
  'net.connect': 'internet',
  'git.write': 'git',
  'ext.call': 'services',
};

/** Returns what a program says that its capability does, for the user to read as claims. Nothing is decided by them. */
export function toClaims({
  type,
  effects = [],
  hints = {},
}: Pick<OfferedCapability, 'type' | 'effects' | 'hints'>): Claim[] {
  const said = new Set<Claim>(effects.map((effect) => OF_EFFECT[effect]));
  const { destructive, openWorld } = hints;
  if (type === 'context') said.add('reads');
  else if (destructive !== undefined) said.add(destructive ? 'destroys' : 'adds');
  if (openWorld !== undefined) said.add(openWorld ? 'internet' : 'within');
  return CLAIMS.filter((claim) => said.has(claim));
}
