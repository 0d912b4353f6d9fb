import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { CodeRow } from './code-rows.ts';

type StateOfResource = NonNullable<NonNullable<ProjectDomain['status']>['state']>;

/** A ProjectDomain's states in the order of its life (docs/concepts/states.md), with what is said of one that has no reason of its own. */
export const domainStates = {
  Pending: {
    definition: 'It is not accepted; the reason says what to do.',
    title: 'Not ready yet',
    meaning: 'Something other than DNS has to happen before this domain can be set up.',
    todo: 'See what its page says, and fix it.',
  },
  Unverified: {
    definition: 'DNS is not set up correctly yet. It is checked automatically for seven days; Verify starts again.',
    title: 'Waiting for your DNS records',
    meaning: 'We can’t see the DNS records that connect this domain yet. We check automatically.',
    todo: 'Add the records shown at your DNS provider.',
    symptom: 'verification-keeps-failing',
  },
  Verified: {
    definition:
      'DNS is set up correctly; the certificate and the route come next, or the reason says what prevents them.',
    title: 'DNS is set up correctly',
    meaning: 'Your certificate comes next, then the domain goes live.',
    todo: 'Nothing to do: keep the records as they are.',
  },
  Live: {
    definition:
      'Served over HTTPS with its certificate. DNS is checked every 15 minutes, or less often where very many domains are served.',
    title: 'Live',
    meaning: 'Your domain is connected and has a valid certificate.',
    todo: 'Nothing to do: keep the records as they are.',
  },
  Degraded: {
    definition: '**Still served**, but a condition is no longer true. Seven days of grace.',
    title: 'Live, but at risk',
    meaning: 'Your domain still works, but something has changed that you should fix.',
    todo: 'Compare your DNS with the records shown, then select Re-verify.',
    symptom: 'verification-keeps-failing',
  },
  Suspended: {
    definition: 'Withdrawn; Secret and claim are kept. Verification brings it back without a new order.',
    title: 'No longer served',
    meaning: 'We stopped serving this domain and renewing its certificate.',
    todo: 'Compare your DNS with the records shown, then verify again. The domain comes back with the certificate it had.',
    symptom: 'verification-keeps-failing',
  },
} as const satisfies Readonly<Record<StateOfResource, CodeRow>>;
