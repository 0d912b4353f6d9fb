import { describe, expect, it } from '@jest/globals';
import { backupArguments } from '../../../src/cli/backup/backup-command.ts';
import type { BackupSource } from '../../../src/cli/backup/collect-backup.ts';
import { collect } from '../../../src/cli/backup/collect-backup.ts';
import { backupDocument } from '../../../src/cli/backup/backup-document.ts';
import { UsageError } from '../../../src/cli/usage-errors.ts';
import type { AcmeIssuer } from '../../../src/generated/acme-issuer.ts';
import type { Cluster, Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { account, claim, domain, project } from '../../support/snapshot.ts';

const named = <T extends KubernetesObject = KubernetesObject>(kind: string, name: string, more: object = {}): T =>
  ({ apiVersion: 'v1', kind, metadata: { name, ...more } }) as T;

const binding = (namespace: string, subject: string) => ({
  ...named('RoleBinding', `to-${subject}`, { namespace }),
  subjects: [{ kind: 'ServiceAccount', namespace: subject, name: 'x' }],
});

const found: BackupSource = {
  systemNamespace: 'system',
  secret: {
    ...named('Secret', 'projectdomain-hmac', { namespace: 'system' }),
    data: { key: 'a2V5' },
  } as KubernetesObject,
  accountSecrets: [named('Secret', 'projectdomain-acme-account', { namespace: 'system' })],
  acmeIssuers: [{ ...named<AcmeIssuer>('AcmeIssuer', 'ca'), spec: { accounts: [] }, status: { accounts: [] } }],
  namespaces: [
    named('Namespace', 'acme', { labels: { 'projectdomain.io/account': 'acme' } }),
    named('Namespace', 'kube-system'),
    named('Namespace', 'system'),
  ],
  roleBindings: [binding('acme', 'system'), binding('acme', 'monitoring'), binding('kube-system', 'system')],
  claims: [claim()],
  plans: [named('Plan', 'pro')],
  accounts: [account],
  projects: [project],
  domains: [domain({ status: { state: 'Live' } })],
  apiKeys: [named('ApiKey', 'key-1')],
};

const lines = (changes: Partial<BackupSource> = {}) =>
  backupDocument({ ...found, ...changes }).items.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe('a backup', () => {
  it('holds the keys first, then who would have new ones made, then the claims, then whoever could ask for their names', () => {
    expect(lines()).toEqual([
      'Namespace system',
      'Secret projectdomain-hmac',
      'Secret projectdomain-acme-account',
      'AcmeIssuer ca',
      'HostnameClaim www.example.com',
      'Plan pro',
      'Namespace acme',
      'RoleBinding to-system',
      'Account acme',
      'Project shop',
      'ProjectDomain www',
      'ApiKey key-1',
    ]);
  });

  it('without secrets it holds neither the key nor its namespace', () => {
    expect(lines({ secret: null })).not.toContain('Secret projectdomain-hmac');
    expect(lines({ secret: null })).not.toContain('Namespace system');
  });

  it.each<[string, Partial<BackupSource>, string]>([
    [
      'a namespace that lost its label while a Project lives in it',
      { namespaces: [named('Namespace', 'acme')] },
      'Namespace acme',
    ],
    [
      'a ProjectDomain made from configuration, for it holds a claim',
      { domains: [{ ...domain(), metadata: { ...domain().metadata, name: 'child', ownerReferences: [owner()] } }] },
      'ProjectDomain child',
    ],
    [
      'a tombstone',
      { claims: [claim({ phase: 'Tombstone', releasedAt: '2026-01-01T00:00:00Z' })] },
      'HostnameClaim www.example.com',
    ],
  ])('holds %s', (_, changes, line) => {
    expect(lines(changes)).toContain(line);
  });

  it.each<[string, Partial<BackupSource>, string]>([
    [
      'what is being deleted',
      { accounts: [{ ...account, metadata: { ...account.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }] },
      'Account acme',
    ],
    ["a namespace that is nobody's", {}, 'Namespace kube-system'],
    ["a RoleBinding that is not the operator's", {}, 'RoleBinding to-monitoring'],
  ])('leaves out %s', (_, changes, line) => {
    expect(lines(changes)).not.toContain(line);
  });

  it('holds the oldest first, so that creation in its order keeps who came first', () => {
    const plan = (name: string, creationTimestamp: string) =>
      named<BackupSource['plans'][number]>('Plan', name, { creationTimestamp });
    const plans = [plan('young', '2026-02-01T00:00:00Z'), plan('old', '2026-01-01T00:00:00Z')];
    expect(lines({ plans }).filter((line) => line.startsWith('Plan'))).toEqual(['Plan old', 'Plan young']);
  });

  it('keeps what was said about an object, and nothing that this cluster made of it', () => {
    const metadata = {
      name: 'www.example.com',
      uid: 'u',
      resourceVersion: '7',
      generation: 3,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { of: 'us' },
      annotations: { 'projectdomain.io/suspend': 'abuse', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
      ownerReferences: [owner()],
    };
    const alone = { ...found, secret: null, accountSecrets: [], acmeIssuers: [] };
    const [kept] = backupDocument({ ...alone, claims: [{ ...claim({ epoch: 3 }), metadata }] }).items;
    expect(kept).toEqual({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'HostnameClaim',
      metadata: {
        name: 'www.example.com',
        labels: metadata.labels,
        annotations: { 'projectdomain.io/suspend': 'abuse' },
      },
      spec: claim({ epoch: 3 }).spec,
    });
  });

  it('keeps the account id that targets are drawn from, and no status', () => {
    const { items } = backupDocument(found);
    expect(items.find(({ kind }) => kind === 'Account')).toMatchObject({ spec: { id: 'acc-acme' } });
    expect(items.filter((item) => 'status' in item)).toEqual([]);
  });
});

function owner() {
  return { apiVersion: 'x', kind: 'Project', name: 'shop', uid: 'u-shop', controller: true };
}

describe('reading the cluster', () => {
  const cluster = (broken: string): Pick<Cluster, 'list' | 'get'> => ({
    list: ({ plural }: Kind) => (plural === broken ? Promise.reject(new Error('403 Forbidden')) : Promise.resolve([])),
    get: ({ plural }: Kind) =>
      plural === broken ? Promise.reject(new Error('403 Forbidden')) : Promise.resolve(undefined),
  });
  const what = { systemNamespace: 'system', secrets: true };
  it.each<[string, string, boolean, RegExp]>([
    ['the claims cannot be listed', 'hostnameclaims', false, /^403 Forbidden$/],
    ['the RoleBindings cannot be listed', 'rolebindings', false, /^403 Forbidden$/],
    ['the key may not be read', 'secrets', true, /^403 Forbidden$/],
    ['the key is not there', '', true, /^there is no Secret system\/projectdomain-hmac/],
  ])('fails as a whole when %s', async (_, broken, secrets, message) => {
    await expect(collect(cluster(broken), { ...what, secrets })).rejects.toThrow(message);
  });

  const issuer = {
    spec: {
      accounts: [
        {
          keySecret: 'projectdomain-acme-a',
          externalAccountBinding: { keyId: 'k', keySecret: 'projectdomain-acme-mac' },
        },
        { keySecret: 'projectdomain-acme-a' },
        { keySecret: 'projectdomain-acme-lost' },
      ],
    },
  };
  const withIssuer: Pick<Cluster, 'list' | 'get'> = {
    list: ({ plural }: Kind) => Promise.resolve((plural === 'acmeissuers' ? [issuer] : []) as never),
    get: (_: unknown, { name }: { name: string }) =>
      Promise.resolve((name === 'projectdomain-acme-lost' ? undefined : named('Secret', name)) as never),
  };

  it('reads the Secrets of ACME accounts by name, each once, and is not ended by one that was lost', async () => {
    const { accountSecrets } = await collect(withIssuer, what);
    expect(accountSecrets.map(({ metadata }) => metadata.name)).toEqual([
      'projectdomain-acme-a',
      'projectdomain-acme-mac',
    ]);
    expect((await collect(withIssuer, { ...what, secrets: false })).accountSecrets).toEqual([]);
  });

  it('does not touch the key when it is to be left out', async () => {
    await expect(collect(cluster('secrets'), { ...what, secrets: false })).resolves.toMatchObject({ secret: null });
  });
});

describe('the command line', () => {
  it.each<[string, readonly string[], object]>([
    [
      'defaults',
      [],
      { systemNamespace: 'projectdomain-system', secrets: true, kubeconfig: undefined, context: undefined },
    ],
    ['another namespace', ['--system-namespace', 'domains'], { systemNamespace: 'domains' }],
    ['no secrets', ['--without-secrets'], { secrets: false }],
    ['a cluster', ['--kubeconfig', '/k', '--context', 'east'], { kubeconfig: '/k', context: 'east' }],
  ])('%s', (_, args, expected) => {
    expect(backupArguments(args)).toMatchObject(expected);
  });

  it('refuses what it does not know', () => {
    expect(() => backupArguments(['--to', 'file'])).toThrow(UsageError);
    expect(() => backupArguments(['file'])).toThrow(UsageError);
  });
});
