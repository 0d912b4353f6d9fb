import type { Plan } from '../../../src/generated/plan.ts';
import type { ControllerSettings } from '../../../src/controllers/controller-settings.ts';
import type { OrderLimits } from '../../../src/rules/order-ledger/order-limits.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import { accountLabel } from '../../../src/resources/object-metadata.ts';
import {
  AccountKind,
  AcmeIssuerKind,
  NamespaceKind,
  PlanKind,
  ProjectDomainKind,
  ProjectKind,
} from '../../../src/resources/kinds.ts';
import { defaultPlans } from '../../support/plans.ts';
import { settings as common } from '../../support/snapshot.ts';
import type { MemoryObjects } from './memory-objects.ts';

/** The settings of an installation whose operator orders itself. */
export const settingsOf = (orderLimits: OrderLimits, looksPerSecond: number): ControllerSettings => ({
  ...common,
  issuer: { kind: 'AcmeIssuer', name: 'ca' },
  orderLimits,
  looksPerSecond,
});

export interface SimulatedCustomers {
  readonly objects: MemoryObjects;
  readonly now: () => number;
  /** URL of the issuer's ACME account */
  readonly accountUrl: string;
}

/** A domain that somebody adds. */
export interface AddedDomain {
  readonly account: string;
  /** one domain for each: a project has one primary */
  readonly project: string;
  readonly hostname: string;
}

/** Plans and issuer are there; accounts and projects come with their first domain. */
export function createCustomers({ objects, now, accountUrl }: SimulatedCustomers): (domain: AddedDomain) => void {
  const known = new Set<string>();
  const once = (what: string, make: () => void) => {
    if (known.has(what)) return;
    known.add(what);
    make();
  };
  const { put } = objects;
  put({ ...identity(PlanKind, 'pro'), spec: defaultPlans.pro as Plan['spec'] });
  put({
    ...identity(AcmeIssuerKind, 'ca'),
    spec: { accounts: [] },
    status: { accounts: [{ name: 'ca', uri: accountUrl }] },
  });
  return ({ account, project, hostname }) => {
    once(account, () => {
      put({ ...identity(AccountKind, account), spec: { plan: 'pro', id: `id-${account}` } });
      put({ ...identity(NamespaceKind, account), metadata: { name: account, labels: { [accountLabel]: account } } });
    });
    once(`${account}/${project}`, () =>
      put({
        ...identity(ProjectKind, project, account),
        spec: { service: { name: 'web', port: 8080 } },
        status: { deployedAt: timestamp(now()), platformHostname: `${project}.apps.example.net` },
      }),
    );
    put({ ...identity(ProjectDomainKind, hostname, account), spec: { project, hostname, role: 'Primary' } });
  };
}

const identity = ({ apiVersion, kind }: { apiVersion: string; kind: string }, name: string, namespace?: string) => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});
