import { describe, expect, it } from '@jest/globals';
import { noOrderUsage } from '../../../src/controllers/order-ledger/order-usage.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import type { ProjectSnapshot } from '../../../src/controllers/project/project-snapshot.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { Project } from '../../../src/generated/project.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import {
  account,
  accountsWith,
  certificateIn,
  ingress,
  now,
  orderLimits,
  platformClaim,
  project,
  routeOf,
  settings,
} from '../../support/snapshot.ts';

/** A platform hostname is suspended as any other is, and shown only while its project holds it. */

const hostname = 'shop.apps.example.net';
const owner = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'Project',
  name: 'shop',
  uid: 'u-shop',
  controller: true,
};
const metadata = { namespace: 'acme', name: childName(hostname), uid: 'u-child', ownerReferences: [owner] };
const secretName = metadata.name;
const tls = [{ hosts: [hostname], secretName }];
const route = routeOf({ ...ingress, metadata, spec: { ...ingress.spec, tls } } as never);
const owned = { ...project, metadata: { ...project.metadata, ownerReferences: [{ ...owner, uid: 'u-acme' }] } };

const suspended = (claim: HostnameClaim): HostnameClaim => ({
  ...claim,
  metadata: { ...claim.metadata, annotations: { 'projectdomain.io/suspend': 'abuse report 12' } },
});

const scene = (changes: Partial<ProjectSnapshot> = {}): ProjectSnapshot => ({
  now,
  settings,
  project: owned,
  account,
  hostname,
  target: null,
  permittedClasses: [],
  claim: platformClaim(),
  serving: true,
  certificate: { ...certificateIn(true), metadata },
  requests: [],
  orderLedger: undefined,
  issuerAccounts: accountsWith(orderLimits),
  ...noOrderUsage,
  route,
  domains: [],
  sameHostname: [],
  probe: null,
  isAccountFull: false,
  ...changes,
});

function decided(changes: Partial<ProjectSnapshot>) {
  const { writes } = decideProject(scene(changes));
  const status = writes.find(({ verb }) => verb === 'applyStatus');
  const { conditions = [], platformHostname } = (
    status?.verb === 'applyStatus' ? status.object.status : {}
  ) as NonNullable<Project['status']>;
  const ready = conditions.find(({ type }) => type === 'Ready');
  return {
    does: writes.filter((write) => write !== status).map(({ verb, kind }) => `${verb} ${kind.kind}`),
    ready: ready?.reason,
    says: ready?.message,
    platformHostname,
  };
}

describe('a platform hostname that an administrator suspends', () => {
  it('loses route and certificate, and the project says why', () => {
    expect(decided({ claim: suspended(platformClaim()) })).toEqual({
      does: ['remove Ingress', 'remove Certificate'],
      ready: 'Withdrawn',
      says: 'suspended by an administrator: abuse report 12',
      platformHostname: hostname,
    });
  });

  it.each<[string, Partial<ProjectSnapshot>, readonly string[]]>([
    ['is not served again by a visit', { route: undefined, certificate: undefined }, []],
    [
      'is suspended where the subdomain has been reserved since, too, whose route would be kept otherwise',
      {
        project: { ...owned, spec: { ...owned.spec, subdomain: 'login' } },
        hostname: 'login.apps.example.net',
        claim: suspended(platformClaim()),
      },
      ['remove Ingress', 'remove Certificate'],
    ],
    [
      'loses what a mutating policy took the owner references of: the hostname is this project’s, and nobody else would end its serving',
      {
        route: routeOf({ ...ingress, metadata: { ...metadata, ownerReferences: [] } }),
        certificate: { ...certificateIn(true), metadata: { ...metadata, ownerReferences: [] } },
      },
      ['remove Ingress', 'remove Certificate'],
    ],
    ['loses nothing of somebody else’s', { route: routeOf(ingress), certificate: certificateIn(true) }, []],
  ])('%s', (_title, changes, does) => {
    expect(decided({ claim: suspended(platformClaim()), ...changes }).does).toEqual(does);
  });

  it('stays suspended through the project’s removal: the tombstone is claimed again with its annotation', () => {
    const left = suspended(platformClaim({ phase: 'Tombstone', releasedAt: '2026-01-01T00:00:00Z' }));
    const { writes } = decideProject(scene({ claim: left, route: undefined, certificate: undefined }));
    const again = writes.find(({ kind }) => kind.kind === 'HostnameClaim');
    expect(again).toMatchObject({ verb: 'replace', object: { metadata: left.metadata, spec: { phase: 'Held' } } });
  });

  it('comes back once it is let go', () => {
    expect(decided({ route: undefined, certificate: undefined }).does).toEqual(['apply Ingress', 'apply Certificate']);
  });
});

describe('the address in a project’s status', () => {
  it.each<[string, Partial<ProjectSnapshot>, string | undefined, string]>([
    ['is there while the project holds it', {}, hostname, 'Ready'],
    ['is not there before it is claimed', { claim: undefined }, undefined, 'NotAnswering'],
    [
      'is not there where another project has it',
      { claim: platformClaim({ holder: { namespace: 'victim', name: 'shop' }, account: 'acc-victim' }) },
      undefined,
      'SubdomainTaken',
    ],
    [
      'is not there where it is reserved',
      {
        hostname: 'login.apps.example.net',
        claim: undefined,
        project: { ...owned, spec: { ...owned.spec, subdomain: 'login' } },
      },
      undefined,
      'SubdomainReserved',
    ],
    ['is not there once it was given up', { claim: platformClaim({ phase: 'Tombstone' }) }, undefined, 'NotAnswering'],
  ])('%s', (_title, changes, address, reason) => {
    const { platformHostname, ready } = decided({ probe: { ok: true }, ...changes });
    expect([platformHostname, reason === 'NotAnswering' ? reason : ready]).toEqual([address, reason]);
  });
});
