import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { decideAccount } from '../../../src/controllers/account/decide-account.ts';
import { decideAcmeIssuer } from '../../../src/controllers/acme-issuer/decide-acme-issuer.ts';
import { decideApiKey } from '../../../src/controllers/api-key/api-key-reconciler.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import type { Actions } from '../../../src/controller-runtime/actions.ts';
import type { AcmeIssuer } from '../../../src/generated/acme-issuer.ts';
import type { ApiKey } from '../../../src/generated/api-key.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { defaultPlans } from '../../support/plans.ts';
import { kstatusOf } from '../../support/kstatus.ts';
import { account, domain, heldBy, now, project, routes, settings, snapshot, verdict } from '../../support/snapshot.ts';

/**
 * What Flux, Argo CD and kpt take each kind's readiness for: that of the spec which stands there now. It fails where a status is about an earlier one and
 * does not say so, and where an object that nobody has seen yet passes for ready.
 */

const apiVersion = 'projectdomain.io/v1alpha1';
const at = <T extends { readonly metadata: object }>(object: T, generation: number): T => ({
  ...object,
  metadata: { ...object.metadata, generation },
});

const stores = createOperatorStores(routes, (error) => {
  throw error;
});
const issuer: AcmeIssuer = {
  ...{ apiVersion, kind: 'AcmeIssuer', metadata: { name: 'ca' } },
  spec: { accounts: [{ name: 'ca', server: 'https://ca.test/dir', keySecret: 'key' }] },
};
const [ca] = issuer.spec.accounts;
const problem = { reason: 'KeyMissing', message: 'its Secret has no key' } as const;
const apiKey: ApiKey = {
  ...{ apiVersion, kind: 'ApiKey', metadata: { name: 'k', uid: 'u-k' } },
  spec: { account: 'acme', scopes: ['domains:read'], keyId: '3kq7mzt5', sha256: '0'.repeat(64) },
};

type Reconciled = (generation: number, isWell: boolean) => Actions;

/** What a reconcile decides for each kind that has a status, of one generation of its spec. */
const kinds: Readonly<Record<string, readonly [object: Parameters<typeof at>[0], reconciled: Reconciled]>> = {
  Account: [
    account,
    (generation, isWell) =>
      decideAccount({
        ...{ now, account: at(account, generation), limits: defaultPlans.pro ?? null, missingRights: [], newId: 'new' },
        ...{
          namespace: isWell ? 'acme' : null,
          issuerGuard: null,
          gatewayGuard: null,
          quota: null,
          areQuotasCounted: true,
        },
      }),
  ],
  AcmeIssuer: [
    issuer,
    (generation, isWell) =>
      decideAcmeIssuer({
        ...{ now, issuer: at(issuer, generation), ledger: undefined, limits: [], lookedAt: now },
        observations: ca ? [{ spec: ca, account: null, problem: isWell ? null : problem }] : [],
        health: () => ({ silentSince: null, isDown: false }),
      }),
  ],
  ApiKey: [
    apiKey,
    (generation, isWell) =>
      decideApiKey({
        ...{ now, apiKey: at(apiKey, generation), account: isWell ? account : undefined, namespace: 'acme' },
        newKey: { keyId: 'i', sha256: 's', key: 'k' },
      }),
  ],
  Project: [
    project,
    (generation, isWell) =>
      decideProject({
        ...gatherProject(stores, settings, at(project, generation), now),
        ...(isWell ? { account } : {}),
      }),
  ],
  ProjectDomain: [
    domain(),
    (generation, isWell) =>
      decideProjectDomain(
        snapshot({ ...heldBy, domain: at(domain(), generation), verdict: isWell ? verdict() : null }),
      ),
  ],
};

function statusIn({ writes }: Actions): object {
  const write = writes.filter(({ verb }) => verb === 'applyStatus').at(-1);
  if (write?.verb !== 'applyStatus') throw new Error('no status is written');
  return write.object.status as object;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema | undefined>>;
  readonly default?: object;
}
const crds = join(import.meta.dirname, '../../../crds');
const schemas = readdirSync(crds).map((file) => {
  const { spec } = parse(readFileSync(join(crds, file), 'utf8')) as {
    readonly spec: {
      readonly names: { readonly kind: string };
      readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[];
    };
  };
  return [spec.names.kind, spec.versions[0]?.schema.openAPIV3Schema.properties?.status] as const;
});

it('these are the kinds that have a status', () => {
  const withStatus = schemas.filter(([, status]) => status !== undefined).map(([kind]) => kind);
  expect(withStatus.toSorted()).toEqual(Object.keys(kinds));
});

describe.each(Object.entries(kinds))('kstatus takes %s', (kind, [object, reconciled]) => {
  const [, schema] = schemas.find(([name]) => name === kind) ?? [];

  it('for in progress before the operator has seen it', () => {
    expect(kstatusOf(at({ ...object, status: schema?.default } as never, 1))).toBe('InProgress');
  });

  it.each([3, 4])('for in progress where it waits for something (generation %d)', (generation) => {
    const status = statusIn(reconciled(generation, false));
    expect(kstatusOf(at({ ...object, status } as never, generation))).toBe('InProgress');
  });

  it('for in progress once its spec was changed, whatever was so of the earlier one', () => {
    const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '' };
    const status = { ...statusIn(reconciled(3, true)), conditions: [ready] };
    expect(kstatusOf(at({ ...object, status } as never, 3))).toBe('Current');
    expect(kstatusOf(at({ ...object, status } as never, 4))).toBe('InProgress');
  });

  it('for going where it is being deleted', () => {
    const leaving = { ...object, metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(kstatusOf(leaving as never)).toBe('Terminating');
  });

  it('and its status is about one generation, conditions and all', () => {
    const { observedGeneration, conditions } = statusIn(reconciled(3, true)) as {
      readonly observedGeneration: number;
      readonly conditions: readonly { readonly observedGeneration: number }[];
    };
    expect([observedGeneration, ...conditions.map((one) => one.observedGeneration)]).toEqual(
      Array.from({ length: conditions.length + 1 }, () => 3),
    );
  });
});
