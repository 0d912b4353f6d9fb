import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { accountObjects, createKey } from '../../../dev/platform/demo-account.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { startOutsidePod } from '../../scale/outside-pod.ts';
import { untilNothingIsWritten } from '../../scale/quiet.ts';
import type { ScaleCluster } from '../../scale/scale-cluster.ts';
import { projectObject, scaleSettings, servedBy } from '../../scale/seed-cluster.ts';

/** Accounts with a project each, as the operator leaves them. */
export interface ServedAccount {
  readonly namespace: string;
  readonly primary: string;
  readonly key: string;
}

export const project = 'shop';
const plan = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'Plan',
  metadata: { name: 'bench' },
  spec: {
    rateLimit: { requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000_000 },
    customDomains: { enabled: true, maxPerProject: 10_000 },
    maximum: { projects: 10, domains: 10_000, apiKeys: 10 },
  },
};

interface Listed {
  readonly items: readonly ProjectDomain[];
}

const withinMs = 120_000;
const redirects = 49;

/** The first account's project has a primary domain and 49 redirects to it, each other one a primary. The operator has ended when it returns. */
export async function makeAccounts(cluster: ScaleCluster, count: number): Promise<readonly ServedAccount[]> {
  const { kubectl, kubeconfig } = cluster.around;
  const names = Array.from({ length: count }, (_, at) => `seller-${at}`);
  const primaryOf = (name: string) => `www.${name}.example`;
  await kubectl.apply(plan, ...names.flatMap((name) => [...accountObjects(name, 'bench'), ...servedBy(name)]));
  await kubectl.apply(...names.map((name) => projectObject(name, project)));
  const operator = await startOutsidePod('operator', cluster, scaleSettings);
  try {
    const [first = ''] = names;
    const more = Array.from({ length: redirects }, (_, at) =>
      redirectObject(first, `r${at}.${first}.example`, primaryOf(first)),
    );
    await kubectl.apply(...names.map((name) => primaryObject(name, primaryOf(name))), ...more);
    await eventually('every domain has its first verdict', withinMs, async () => {
      const { items: domains } = JSON.parse(await kubectl.run(['get', 'projectdomains', '-A', '-o', 'json'])) as Listed;
      const without = domains.filter(({ status }) => (status?.records ?? []).length === 0 || !status?.check?.checkedAt);
      expectThat(domains.length === count + redirects && without.length === 0, `${without.length} have none`);
    });
    await untilNothingIsWritten(operator);
  } finally {
    await operator.part.stop();
  }
  const accounts: ServedAccount[] = [];
  for (const namespace of names)
    accounts.push({ namespace, primary: primaryOf(namespace), key: await createKey(namespace, kubeconfig) });
  return accounts;
}

const own = (namespace: string, hostname: string) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { name: hostname, namespace },
});

const primaryObject = (namespace: string, hostname: string) => ({
  ...own(namespace, hostname),
  spec: { project, hostname },
});

const redirectObject = (namespace: string, hostname: string, to: string) => ({
  ...own(namespace, hostname),
  spec: { project, hostname, role: 'Redirect', redirect: { to } },
});
