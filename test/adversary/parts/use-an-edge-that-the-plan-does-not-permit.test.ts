import { describe, expect, it } from '@jest/globals';
import { addressesFor, domainClasses, servingClasses } from '../../../src/controllers/project-domain/domain-classes.ts';
import { desiredDns, dnsSettings } from '../../../src/dns/verdict/desired-dns.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import { addresses, facts, name } from '../../support/dns-facts.ts';
import { operatorConfig } from '../../support/process-configs.ts';
import { now, project, settings as usual } from '../../support/snapshot.ts';

/**
 * An edge of one's own is sold with a plan. A tenant who writes the Project names it although the plan does not permit it, or leads DNS to
 * its address: the hostname is served there neither way, and its records are said to be wrong.
 */

const hostname = 'www.example.com';
const [commonAddress = '', goldAddress] = [operatorConfig.platformAddresses[0], '203.0.113.50'];
const settings = {
  ...usual,
  platformAddresses: [commonAddress],
  routingClasses: { ...usual.routingClasses, chosen: new Map([['gold', [goldAddress]]]) },
};
const classesWith = (permitted: readonly string[]) =>
  domainClasses(settings, {
    permitted,
    project: { spec: { ...project.spec, routingClass: 'gold' } },
    route: undefined,
  });

/** What a hostname that has this address is found to be, and by what it is served. */
function tried(permitted: readonly string[], address: string) {
  const classes = classesWith(permitted);
  const wanted = desiredDns(dnsSettings(operatorConfig), {
    ...addressesFor(classes),
    hostname,
    target: 'p-mine.cname.apps.example.net',
    ownership: null,
    relation: 'Held',
    targetAddresses: [],
    accountUri: null,
  });
  const verdict = evaluateDns(facts(hostname, [name(hostname, [addresses([address])])]), { ...wanted, ca: null });
  const serving = servingClasses({ now, settings, classes, formerUntil: null, verdict });
  return { routing: verdict.routing.verdict, classes: serving.classes };
}

describe('an edge that the plan does not permit', () => {
  it('serves no hostname of a Project that names it', () => {
    expect(tried([], commonAddress)).toEqual({ routing: 'yes', classes: ['default'] });
  });

  it('is not where a hostname may lead', () => {
    const { routing, classes } = tried([], goldAddress);
    expect(routing).not.toBe('yes');
    expect(classes).toEqual(['default']);
  });

  it('is both with a plan that permits it', () => {
    expect(tried(['gold'], goldAddress)).toEqual({ routing: 'yes', classes: ['gold'] });
  });
});
