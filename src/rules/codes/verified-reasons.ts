import type { DomainCodeRow } from './code-rows.ts';
import { askDnsHost, askRegistrar, changeRecords } from './code-rows.ts';

/** ProjectDomain, OwnershipVerified and DNSVerified, in addition to the verdict codes. */
export const verifiedReasons = {
  Verified: {
    definition: 'The records are in place, or ownership is proven.',
    title: 'DNS is set up correctly',
    meaning: 'Your records are in place and prove that the domain is yours.',
    todo: 'Nothing to do: your certificate is issued automatically.',
    step: { kind: null, actor: 'Authority' },
  },
  Waiting: {
    definition: 'No check has finished yet, or an earlier step is blocked.',
    title: 'Just a moment',
    meaning: 'This hasn’t been processed yet.',
    todo: 'Nothing to do: it continues automatically.',
    step: { kind: null, actor: 'Platform' },
  },
  HeldElsewhere: {
    ...changeRecords,
    definition: 'Another account has proved the hostname; a TXT record decides.',
    sentence: () => 'another account proved this hostname; create the TXT record shown to claim it',
    title: 'Another account uses this domain',
    meaning: 'Another account connected this domain before. If it’s yours, prove it with a TXT record.',
    todo: 'Add both records shown and delete the other account’s. The domain then moves to you.',
  },
  OverlapsElsewhere: {
    definition: 'Another account holds the wildcard above the hostname, or a hostname that the wildcard includes.',
    sentence: ({ held, hostname }: { readonly held: string; readonly hostname: string }) =>
      `another account holds ${held}, and two accounts never hold a wildcard and a hostname that it includes; add ${held} here first and prove it, which takes it over, or use another hostname than ${hostname}`,
    title: 'Another account uses a domain that overlaps',
    meaning:
      'A wildcard and a domain that it includes can’t belong to two accounts. The message says which one is taken.',
    todo: 'If that one is yours as well, add it here and prove it with a TXT record. Otherwise remove this domain.',
    symptom: 'verification-keeps-failing',
    step: { kind: 'remove', actor: 'Owner' },
  },
  Transferring: {
    definition: 'The hostname moves between accounts: the old route is being withdrawn.',
    sentence: () => 'ownership is proven; the hostname moves here once the record of the other account is gone',
    title: 'The domain is moving to your account',
    meaning: 'You’ve proved that it’s yours. The other account is disconnected once its records are gone.',
    todo: 'Nothing to do, unless records of the other account are left in your DNS: delete them.',
    step: { kind: null, actor: 'Platform' },
  },
  OneServerAlone: {
    ...askDnsHost,
    definition: 'Only one name server has confirmed the records; a new hostname needs two.',
    sentence: () =>
      'only one name server confirms the records, and two have to; fix the name servers that do not answer',
    title: 'Only one of your name servers answered',
    meaning: 'Your records are correct, but two name servers have to confirm them.',
    todo: 'Ask your DNS provider why the others don’t answer. We try again automatically.',
  },
  Unreachable: {
    ...askRegistrar,
    definition: 'The name servers of a served hostname have not given a usable answer for thirty days.',
    sentence: () => 'the name servers of the hostname have not given a usable answer for thirty days',
    title: 'Your name servers haven’t answered for 30 days',
    meaning: 'We haven’t been able to look this domain up for 30 days.',
    todo: 'Check that the domain hasn’t expired and that your registrar lists the right name servers. Then select Re-verify.',
  },
} as const satisfies Readonly<Record<string, DomainCodeRow>>;
