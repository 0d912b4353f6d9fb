import type { CorpusName, NameServer } from '../corpus-name.ts';

/** Verdicts that many names share. */
type Verdicts = Pick<CorpusName, 'routing' | 'ownership' | 'caa'>;

export const yes: Verdicts = { routing: 'yes', ownership: 'yes', caa: 'yes' };

/** No record that leads here, and nothing that forbids the certificate. */
export const no = (code: string): Verdicts => ({ routing: `no ${code}`, ownership: `no ${code}`, caa: 'yes' });

export const unknown = (code: string): Verdicts => ({
  routing: `unknown ${code}`,
  ownership: `unknown ${code}`,
  caa: `unknown ${code}`,
});

/** Leads here, and the ownership record does not prove it. */
export const unproven = (code: string): Verdicts => ({ routing: 'yes', ownership: `no ${code}`, caa: 'yes' });

/** Everything is in place but the permission of the authority. */
export const withCaa = (caa: CorpusName['caa']): Verdicts => ({ routing: 'yes', ownership: 'yes', caa });

/** A name with a CNAME to the target, on servers that are what matters. */
export const toTarget: Pick<CorpusName, 'host' | 'zone'> = { host: 'www', zone: ['www CNAME {target}'] };

/** A flattened apex with its ownership record. */
export const flattened: readonly string[] = ['@ A {ours}', '_projectdomain-challenge TXT {right}'];

export const knot: NameServer = { program: 'knot' };
export const nsd: NameServer = { program: 'nsd' };
export const gone: NameServer = { program: 'knot', isGone: true };
