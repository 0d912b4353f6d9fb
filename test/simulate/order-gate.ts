import { readCheckStatus, withVerdict } from '../../src/controllers/project-domain/check-status.ts';
import { evaluateProjectDomain } from '../../src/controllers/project-domain/decide-project-domain.ts';
import { orderPermission } from '../../src/controllers/project-domain/steps/order-permission.ts';
import { timestamp } from '../../src/rules/conditions.ts';
import { certificateIn, domain, snapshot } from '../support/snapshot.ts';
import { verdictOf } from './simulated-verdicts.ts';
import type { DnsAnswer } from './simulated-faults.ts';

export interface RenewalAt {
  readonly now: number;
  readonly notAfter: number;
  readonly lifetime: number;
}

const evaluated = evaluateProjectDomain(snapshot({ claimRelation: { kind: 'Held', epoch: 1 } }));
const checked = withVerdict(readCheckStatus(domain()), verdictOf('yes'), 0);

/**
 * What the operator decides of a Live domain's order after the look that precedes it: may it be placed, and is it one
 * whose look could not tell?
 */
export function mayOrder(answer: DnsAnswer, { now, notAfter, lifetime }: RenewalAt): 'yes' | 'unconfirmed' | 'no' {
  if (answer === 'yes') return 'yes';
  const status = { notBefore: timestamp(notAfter - lifetime), notAfter: timestamp(notAfter) };
  const verdict = verdictOf(answer);
  const certificate = notAfter === 0 ? undefined : { ...certificateIn(true), status };
  const checks = withVerdict(checked, verdict, now);
  const permission = orderPermission({ ...evaluated, now, verdict, certificate, checks }, true);
  if (permission.obstacle !== null) return 'no';
  return permission.unconfirmed ? 'unconfirmed' : 'yes';
}
