import { z } from 'zod';
import { challengeName } from '../../rules/desired-records.ts';
import { dnsChallengeName } from '../../rules/challenge-delegation.ts';
import { parseHostname } from '../../rules/hostname.ts';
import { parseHostnameOrWildcard } from '../../rules/wildcard-hostname.ts';
import type { CheckRequest } from '../dns-facts.ts';

/** bytes of a request's body */
export const requestBytes = 4_096;

const hostname = z.string().refine((value) => parseHostname(value).ok);
const nameToCheck = z.string().refine((value) => parseHostnameOrWildcard(value).ok);

const document = z.strictObject({
  hostname: nameToCheck,
  target: hostname,
  txtName: z.string().nullable(),
  txtRequired: z.boolean(),
  delegationName: z.string().exactOptional(),
  needsTargetAddresses: z.boolean().exactOptional(),
  caa: z.boolean(),
});

/**
 * The check that a caller asks for; null when the text is anything else. Only full checks of names that a customer
 * could add, with their own challenge name: nobody gets answers to questions of their choice.
 */
export function readCheckRequest(json: string): CheckRequest | null {
  const read = document.safeParse(parsed(json));
  if (!read.success) return null;
  const { txtName, delegationName, hostname: name } = read.data;
  const isOwn = txtName === null || txtName === challengeName(name);
  const isOwnChallenge = delegationName === undefined || delegationName === dnsChallengeName(name);
  return isOwn && isOwnChallenge ? Object.freeze(read.data) : null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
