/**
 * The address of a hand-over link. Whoever has it can open the page, so nothing that is kept may contain it: no log, no
 * metric and no error.
 */
const prefix = '/dashboard/records/';

/** The path of the page that a token opens. */
export const handoverPath = (token: string): string => `${prefix}${token}`;

const hidden = '[hidden]';
/** Longer than any label of DNS and any name of a project, and shorter than a token. */
const longRun = /[A-Za-z0-9_-]{64,}/g;

/**
 * A request's path as it may be logged or quoted: without what follows the prefix of links, complete or not, and
 * without anything that is as long as a token, wherever a mistyped address has it.
 */
export function pathWithoutToken(path: string): string {
  const at = path.toLowerCase().indexOf(prefix);
  const known = at === -1 ? path : path.slice(0, at + prefix.length) + hidden;
  return known.replaceAll(longRun, hidden);
}
