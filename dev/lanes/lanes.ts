import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Which command runs a file of tests. `check` is part of `test`, and all but `bench` of `test:all`. */
export type Lane =
  /** `npm run check`: needs nothing but the packages */
  | 'check'
  /** `npm test`: with real parts, before every landing */
  | 'test'
  /** `.ci/run` besides: the chart on a node of its own */
  | 'node'
  /** a shard of them at a time, by `npm run test:shard` */
  | 'deep'
  /** figures and campaigns, each by a command of its own */
  | 'bench';

/** What a file runs in (dev/lanes/settings.ts). */
export type Setting =
  /** as many files at a time as there are processors */
  | 'processes'
  /** the same, with Redis, browsers and servers of their own */
  | 'faults'
  /** Chromium, with servers of their own */
  | 'browser'
  /** names on real DNS servers, one file at a time */
  | 'names'
  /** one file at a time */
  | 'alone'
  /** the same, each in a process that has run no other */
  | 'own process'
  /** the kube-apiserver with all that the chart installs */
  | 'shared cluster'
  /** the kube-apiserver with our kinds alone */
  | 'shared control plane'
  /** a platform of the file's own, whose certificates the operator orders, as in the product, unless the file asks for another issuer */
  | 'platform'
  /** the same, but cert-manager orders them */
  | 'platform of cert-manager'
  /** a platform for all such files, each with accounts and zones of its own; the operator orders certificates */
  | 'shared platform'
  /** on the same, but alone and last, as the file stops what is everybody's */
  | 'shared platform, alone'
  /** as the two before it, but cert-manager orders certificates */
  | 'shared platform of cert-manager'
  | 'shared platform of cert-manager, alone'
  /** properties draw other cases each time (test/support/property.ts) */
  | 'fresh seeds'
  | 'fresh seeds, own process'
  | 'Firefox'
  /** the platform of cert-manager, a file at a time */
  | 'attack platform'
  | 'conformance on Traefik'
  | 'node';

interface Entry {
  /** a file, or a folder with a slash at its end; of several that fit, the longest path counts */
  readonly path: string;
  readonly lane: Lane;
  readonly setting: Setting;
}

/** Attacks that go through a kube-apiserver with all that the chart installs. */
const onCluster = [
  'choose-a-nonce',
  'control-a-field-that-edges-read',
  'delete-an-account-by-accident',
  'forge-a-claim',
  'forge-an-api-key',
  'forge-status',
  'give-a-pod-anothers-address',
  'lead-a-service-out-of-the-account',
  'lead-a-suspended-hostname-to-ones-own-pods',
  'make-objects-without-end',
  'plant-a-next-private-key',
  'plant-a-secret-by-generate-name',
  'read-a-neighbours-secret',
  'steer-traefik-by-service-annotations',
  'take-an-address-by-a-load-balancer',
  'take-over-tls-by-editing-ones-secret',
  'use-the-operators-rights-elsewhere',
  'write-a-kind-that-nobody-listed',
  'write-a-route',
  'write-another-secret-with-the-apis-rights',
  'write-with-the-name-of-kube-system',
] as const;

const entries: readonly Entry[] = [
  { path: 'test/unit/', lane: 'check', setting: 'processes' },
  // It replaces a module of Node.js.
  { path: 'test/unit/own-certificate/der-private-key.test.ts', lane: 'check', setting: 'own process' },
  // Long simulations and properties: they find what a change of rules breaks, which is rare.
  { path: 'test/unit/rules/order-ledger/simulated-year.test.ts', lane: 'deep', setting: 'processes' },

  ...['import', 'renewals', 'year-of-many'].map(
    (what) => ({ path: `test/unit/simulate/simulated-${what}.test.ts`, lane: 'deep', setting: 'processes' }) as const,
  ),
  { path: 'test/unit/rules/domain-config-steps.test.ts', lane: 'check', setting: 'own process' },
  // V8 counts the steps of all that its process ever loaded: after other files it takes five times as long.
  { path: 'test/unit/server/steps-of-every-call.test.ts', lane: 'test', setting: 'own process' },
  { path: 'test/unit/dashboard/long-headers.test.ts', lane: 'test', setting: 'own process' },
  // It compiles all of src once more.
  { path: 'test/unit/dev/newcomer.test.ts', lane: 'test', setting: 'processes' },
  { path: 'test/faults/', lane: 'test', setting: 'faults' },
  { path: 'test/faults/dashboard/', lane: 'test', setting: 'browser' },
  { path: 'test/corpus/', lane: 'test', setting: 'names' },
  { path: 'test/packed/', lane: 'test', setting: 'processes' },
  { path: 'test/adversary/parts/', lane: 'test', setting: 'faults' },
  ...onCluster.map(
    (name) => ({ path: `test/adversary/parts/${name}.test.ts`, lane: 'test', setting: 'shared cluster' }) as const,
  ),
  { path: 'test/cluster/', lane: 'test', setting: 'platform' },
  ...[
    'acme/revocation',
    'applies/',
    'bulk/',
    'conditions/',
    'cli/check',
    'cli/commands',
    'cli/revoke',
    'gateway/',
    'refusals/',
  ].map(
    (what) =>
      ({
        path: `test/cluster/${what}${what.endsWith('/') ? '' : '.test.ts'}`,
        lane: 'test',
        setting: 'shared control plane',
      }) as const,
  ),
  // It renders the chart once for each of its values.
  { path: 'test/cluster/chart/unused-values.test.ts', lane: 'deep', setting: 'processes' },
  // A thousand pairs race, for a minute of a processor: it finds what a change of that one rule breaks.
  { path: 'test/cluster/claims/', lane: 'deep', setting: 'platform' },
  { path: 'test/browser/short.test.ts', lane: 'test', setting: 'shared platform of cert-manager' },
  { path: 'test/e2e/story/story.test.ts', lane: 'test', setting: 'shared platform of cert-manager, alone' },
  { path: 'test/e2e/rest/', lane: 'test', setting: 'shared platform' },
  { path: 'test/e2e/inputs/', lane: 'test', setting: 'shared platform' },
  { path: 'test/e2e/cdn/', lane: 'test', setting: 'shared platform of cert-manager' },
  { path: 'test/e2e/transfer/', lane: 'test', setting: 'shared platform of cert-manager' },
  { path: 'test/e2e/redirects/', lane: 'test', setting: 'shared platform, alone' },

  { path: 'test/installed/', lane: 'node', setting: 'node' },

  { path: 'test/e2e/', lane: 'deep', setting: 'platform' },
  { path: 'test/e2e/story/', lane: 'deep', setting: 'platform of cert-manager' },
  { path: 'test/e2e/overdue/', lane: 'deep', setting: 'platform of cert-manager' },
  { path: 'test/scale/', lane: 'deep', setting: 'alone' },
  { path: 'test/browser/', lane: 'deep', setting: 'alone' },
  { path: 'test/adversary/platform/', lane: 'deep', setting: 'attack platform' },
  { path: 'test/conformance/', lane: 'deep', setting: 'conformance on Traefik' },

  { path: 'test/bench/', lane: 'bench', setting: 'alone' },
  { path: 'test/caa/', lane: 'bench', setting: 'alone' },
];

/** What runs in the deep lane once more in another setting, of which it says something else. */
const again: readonly (readonly [Setting, readonly string[]])[] = [
  ['platform of cert-manager', ['test/e2e/orders/', 'test/e2e/restore/restore.test.ts']],
  ['shared platform', ['test/e2e/cdn/', 'test/e2e/transfer/']],
  ['shared platform of cert-manager', ['test/e2e/rest/']],
  ['shared platform of cert-manager, alone', ['test/e2e/redirects/']],
  [
    'fresh seeds',
    [
      'test/faults/kubernetes/reflector-chaos.test.ts',
      'test/faults/quota/redis-script.test.ts',
      'test/faults/quota/valkey-script.test.ts',
      'test/unit/controller-runtime/leader-election.test.ts',
      'test/unit/controller-runtime/recheck-load.test.ts',
      'test/unit/controller-runtime/work-queue.test.ts',
      'test/unit/dns/lookup/dns-message.test.ts',
      'test/unit/dns/lookup/lookup-properties.test.ts',
      'test/unit/dns/lookup/signed-answers.test.ts',
      'test/unit/dns/verdict/advice-properties.test.ts',
      'test/unit/dns/verdict/dnssec-verdict.test.ts',
      'test/unit/dns/verdict/vantage-points.test.ts',
      'test/unit/kubernetes/packed-objects.test.ts',
      'test/unit/kubernetes/replace-store-contents.test.ts',
      'test/unit/kubernetes/response-lines.test.ts',
      'test/unit/kubernetes/store.test.ts',
      'test/unit/lib/heap.test.ts',
      'test/unit/lib/sorted-texts.test.ts',
      'test/unit/operator/moment-counts.test.ts',
      'test/unit/quota/going-on.test.ts',
      'test/unit/quota/local-quota.test.ts',
      'test/unit/quota/minute-log.test.ts',
      'test/unit/quota/quota-decision.test.ts',
      'test/unit/quota/remembered-refusals.test.ts',
      'test/unit/rules/api-key-format.test.ts',
      'test/unit/rules/domain-config-acceptance.test.ts',
      'test/unit/rules/drift-interval.test.ts',
      'test/unit/rules/overlapping-claims.test.ts',
      'test/unit/use-cases/account-domains.test.ts',
      'test/unit/use-cases/domain-config-round-trips.test.ts',
      'test/unit/use-cases/pagination.test.ts',
    ],
  ],
  ['fresh seeds, own process', ['test/unit/server/steps-of-every-call.test.ts']],
  [
    'Firefox',
    [
      'test/browser/domain-contract.test.ts',
      'test/browser/long-hostname-contract.test.ts',
      'test/browser/pages-contract.test.ts',
      ...['add-form', 'bulk-domains', 'domain-page', 'handover-page', 'live-list', 'other-pages'].map(
        (name) => `test/faults/dashboard/${name}.test.ts`,
      ),
    ],
  ],
];

/** A file of tests in a setting: what a lane runs. */
export interface Item {
  /** below the root of the repository */
  readonly file: string;
  readonly setting: Setting;
}

export const nameOf = ({ file, setting }: Item): string => `${file} (${setting})`;

const fits = (path: string, file: string): boolean => (path.endsWith('/') ? file.startsWith(path) : file === path);

/** The lane of a file and its setting there; undefined for one that nobody gave a lane. */
export const entryOf = (file: string): Omit<Entry, 'path'> | undefined =>
  entries.filter(({ path }) => fits(path, file)).toSorted((a, b) => b.path.length - a.path.length)[0];

/** Every file of tests, below the root of the repository. */
export function testFiles(root: string): readonly string[] {
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  return all
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => relative(root, join(root, 'test', path)))
    .toSorted();
}

/** What a lane runs of these files. */
export function itemsOf(lane: Lane, files: readonly string[]): readonly Item[] {
  const once = files.flatMap((file): readonly Item[] => {
    const entry = entryOf(file);
    return entry?.lane === lane ? [{ file, setting: entry.setting }] : [];
  });
  return lane === 'deep' ? [...once, ...itemsAgain(files)] : once;
}

const itemsAgain = (files: readonly string[]): readonly Item[] =>
  again.flatMap(([setting, paths]) =>
    files.filter((file) => paths.some((path) => fits(path, file))).map((file) => ({ file, setting })),
  );

/** Paths in the tables that no file has. */
export const emptyPaths = (files: readonly string[]): readonly string[] =>
  [...entries.map(({ path }) => path), ...again.flatMap(([, paths]) => paths)].filter(
    (path) => !files.some((file) => fits(path, file)),
  );
