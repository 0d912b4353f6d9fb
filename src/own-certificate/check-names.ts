import { parseHostname } from '../rules/hostname.ts';
import type { CertificateFacts } from './certificate-facts.ts';
import type { CommonNames } from './der-name.ts';
import { printable } from '../lib/printable.ts';
import type { CertificateRefusal, Objection } from './certificate-refusal.ts';
import { refuse } from './certificate-refusal.ts';

const namesAtMost = 32;
const shownAtMost = 100;

type Names = { readonly ok: true; readonly names: readonly string[] } | CertificateRefusal;

/** Objects to more names than are taken, however often each stands there; before anything is done with them. */
export const numberObjection = ({ names }: Pick<CertificateFacts, 'names'>): Objection =>
  names.length > namesAtMost
    ? refuse('TooManyNames', `the certificate names ${names.length} hostnames; ${namesAtMost} are taken`)
    : null;

/**
 * The hostnames of a certificate in lower case, each once. Browsers look at alternative names alone; Traefik and HAProxy choose certificates by
 * the common name as well, Traefik by each part of it between commas. So there is one at most, and it is one of the names.
 */
export function certifiedNames(
  { names, otherNames, commonNames }: Pick<CertificateFacts, 'names' | 'otherNames' | 'commonNames'>,
  hostname: string,
): Names {
  if (otherNames.length > 0)
    return refuse(
      'OtherNames',
      'the certificate names something else than hostnames, such as an address; ask for one without',
    );
  const tooMany = numberObjection({ names });
  if (tooMany) return tooMany;
  const all = [...new Set(names.map((name) => name.toLowerCase()))];
  if (all.length === 0)
    return refuse('NoNames', `the certificate names no hostname as an alternative name; ask for one for ${hostname}`);
  const refused = all.map(nameObjection).find((objection) => objection !== null);
  if (refused) return refused;
  if (!all.includes(hostname))
    return refuse('HostnameMissing', `the certificate does not name ${hostname}; send the one for it`);
  return commonNameObjection(commonNames, all) ?? { ok: true, names: all };
}

function commonNameObjection(commonNames: CommonNames, names: readonly string[]): CertificateRefusal | null {
  const [first = null, ...others] = commonNames;
  if (commonNames.length === 0) return null;
  if (others.length > 0)
    return refuse(
      'CommonName',
      'the certificate has more than one common name; ask for one without, or with one hostname',
    );
  if (first !== null && names.includes(first.toLowerCase())) return null;
  const shown = first === null ? 'no plain text' : `'${printable(first, shownAtMost)}'`;
  return refuse(
    'CommonName',
    `the common name of the certificate is ${shown}, and none of the hostnames that it names; ask for one without a common name, or with one of its hostnames`,
  );
}

function nameObjection(name: string): CertificateRefusal | null {
  const shown = printable(name, shownAtMost);
  if (name.startsWith('*.'))
    return refuse(
      'WildcardName',
      `the certificate names ${shown}, and wildcards are not taken; ask for one that names each hostname`,
    );
  const parsed = parseHostname(name);
  return parsed.ok
    ? null
    : refuse(
        'InvalidName',
        `the certificate names '${shown}', which is no hostname of a customer: ${printable(parsed.message, 2 * shownAtMost)}`,
      );
}
