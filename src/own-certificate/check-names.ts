import { parseHostname } from '../rules/hostname.ts';
import type { CertificateFacts } from './certificate-facts.ts';
import { printable } from './certificate-facts.ts';
import type { CertificateRefusal } from './certificate-refusal.ts';
import { refuse } from './certificate-refusal.ts';

const namesAtMost = 32;
const shownAtMost = 100;

type Names = { readonly ok: true; readonly names: readonly string[] } | CertificateRefusal;

/** The hostnames of a certificate in lower case, each once. Browsers look at alternative names alone, never at the common name. */
export function certifiedNames(
  { names, otherNames }: Pick<CertificateFacts, 'names' | 'otherNames'>,
  hostname: string,
): Names {
  if (otherNames.length > 0)
    return refuse(
      'OtherNames',
      'the certificate names something else than hostnames, such as an address; ask for one without',
    );
  const all = [...new Set(names.map((name) => name.toLowerCase()))];
  if (all.length === 0)
    return refuse('NoNames', `the certificate names no hostname as an alternative name; ask for one for ${hostname}`);
  if (all.length > namesAtMost)
    return refuse('TooManyNames', `the certificate names ${all.length} hostnames; ${namesAtMost} are taken`);
  const refused = all.map(nameObjection).find((objection) => objection !== null);
  if (refused) return refused;
  if (!all.includes(hostname))
    return refuse('HostnameMissing', `the certificate does not name ${hostname}; send the one for it`);
  return { ok: true, names: all };
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
