import { isTrue } from '../../model/condition.ts';
import { challengeName } from '../../model/records.ts';
import { judge } from '../../verdict/judge.ts';
import type { Judgement, Wanted } from '../../verdict/judgement.ts';
import type { World } from '../world.ts';
import { wantsCheck, wantsProbe } from './due.ts';
import type { Gathered } from './gather.ts';
import type { DomainSnapshot } from './snapshot.ts';
import { accept } from './steps/accept.ts';

/** Completes a snapshot: asks DNS and the ingress where this visit is due to. */
export async function observe(world: World, gathered: Gathered, signal: AbortSignal): Promise<DomainSnapshot> {
  const quiet = { ...gathered, judgement: null, probe: null, certManagerAway: world.certManagerAway() };
  const accepted = isTrue(accept(quiet));
  const [judgement, probe] = await Promise.all([
    wantsCheck(gathered, accepted) ? look(world, gathered, signal) : null,
    wantsProbe(gathered) ? ask(world, gathered, signal) : null,
  ]);
  return Object.freeze({ ...quiet, judgement, probe, now: world.now() });
}

async function look({ dns, targets }: World, gathered: Gathered, signal: AbortSignal): Promise<Judgement | null> {
  const { domain, target } = gathered;
  if (target === null) return null;
  const { hostname } = domain.spec;
  const facts = await dns.check({ hostname, target, txtName: challengeName(hostname), caa: true }, signal);
  const judgement = judge(facts, wanted(gathered, targets.of(target)));
  targets.saw(target, judgement.targetAddresses);
  return judgement;
}

/** The yardstick for this domain. */
export function wanted(
  { domain, settings, standing, target, ownership, issuerAccountUri }: Gathered,
  seen: readonly string[],
): Wanted {
  const { hostname } = domain.spec;
  const name = challengeName(hostname);
  return {
    hostname,
    target: target ?? '',
    cnameDomain: settings.cnameDomain,
    platformDomains: [settings.platformDomain, settings.cnameDomain],
    platformAddresses: [...settings.platformAddresses, ...seen],
    txt: name === null ? null : { name, value: ownership ?? '' },
    txtRequired: settings.requireTxt || standing.kind === 'Foreign' || standing.kind === 'Releasing',
    ca: { ...settings.ca, accountUri: issuerAccountUri },
  };
}

const ask = ({ probe }: World, { domain, certificate }: Gathered, signal: AbortSignal) =>
  probe.ask({ hostname: domain.spec.hostname, notAfter: certificate?.status?.notAfter ?? '' }, signal);
