const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['==', '!='],
  ['!=', '=='],
  ['===', '!=='],
  ['!==', '==='],
  ['>', '<='],
  ['<=', '>'],
  ['<', '>='],
  ['>=', '<'],
]);

/** True when one condition is the syntactic negation of another, so that one of the two always holds. */
export function coverAllCases(conditions: readonly string[]): boolean {
  const plain = new Set(conditions.slice(0, 50).map((condition) => condition.replace(/\s+/g, '')));
  for (const condition of plain) {
    if (condition === 'true' || plain.has(`!${condition}`) || plain.has(`!(${condition})`)) return true;
    const comparison = /^([^=!<>&|()]+)([=!]==?|[<>]=?)([^=!<>&|()]+)$/.exec(condition);
    if (comparison === null) continue;
    const [, left = '', operator = '', right = ''] = comparison;
    if (plain.has(`${left}${OPPOSITES.get(operator) ?? ''}${right}`)) return true;
    if (
      /^(true|false)$/.test(right) &&
      operator === '==' &&
      plain.has(`${left}==${right === 'true' ? 'false' : 'true'}`)
    )
      return true;
  }
  return false;
}
