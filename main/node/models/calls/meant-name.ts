/**
 * Returns the offered tool that a model means by a name: with the prefix or the channel of another agent's format, or in another
 * case. Returns the name itself where none or several fit.
 */
export function toMeantName(name: string, offered: ReadonlySet<string>): string {
  if (offered.has(name)) return name;
  const [plain = ''] = name.split('<|');
  const parts = plain.split(/[.:/]/).map(toSnakeCase);
  const meant = [...new Set(parts.filter((part) => offered.has(part)))];
  return meant.length === 1 ? (meant[0] ?? name) : name;
}

function toSnakeCase(name: string): string {
  return name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
}
