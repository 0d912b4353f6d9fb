/** characters of a name without the trailing dot */
const maxNameLength = 253;

/** The name with a label before it, without the trailing dot; null where DNS has no room for it (RFC 1035, section 2.3.4). */
export function nameBelow(name: string, label: string): string | null {
  const below = `${label}.${name}`;
  return below.length <= maxNameLength ? below : null;
}
