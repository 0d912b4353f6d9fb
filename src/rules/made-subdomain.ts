import { hash } from 'node:crypto';
import { base32 } from './dns-target.ts';
import { subdomainLength } from './subdomain.ts';

/**
 * Subdomains that the platform makes where a project's own name is not to be had: the name, a hyphen, eight characters that nobody can guess,
 * and two that follow from all before. By these two such a label is known as what it is, so that no project gets one by asking for it by name.
 */
const keyedLength = 8;
const checkLength = 2;
const pattern = new RegExp(`^.+-[a-z2-7]{${keyedLength + checkLength}}$`);

/** The made label for a name; `keyed` are eight characters of base32. One label, whatever the name's length. */
export function madeSubdomain(name: string, keyed: string): string {
  const room = subdomainLength - 1 - keyedLength - checkLength;
  const checked = `${name.slice(0, room).replace(/-+$/, '')}-${keyed.slice(0, keyedLength)}`;
  return checked + checkOf(checked);
}

/** True for a label that madeSubdomain makes. One in a thousand others of that form is taken for one. */
export const isMadeSubdomain = (label: string): boolean =>
  pattern.test(label) && label.endsWith(checkOf(label.slice(0, -checkLength)));

const checkOf = (text: string): string => base32(hash('sha256', `subdomain\0${text}`, 'buffer'), checkLength);
