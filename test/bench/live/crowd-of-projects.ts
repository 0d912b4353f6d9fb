import type { BulkApi } from '../../../dev/campaigns/bulk.ts';
import { createBulkApi, manyAtATime } from '../../../dev/campaigns/bulk.ts';
import { eventually, expectThat, within } from '../../../dev/lib/eventually.ts';
import type { Rest } from '../../../dev/lib/rest.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import type { Project } from '../../../src/generated/project.ts';
import { collectionPath, objectPath } from '../../../src/kubernetes/object-keys.ts';
import { IngressKind, ProjectKind } from '../../../src/resources/kinds.ts';

/** A deployed project that no domain was added to. */
export interface CrowdProject {
  readonly rest: Rest;
  readonly project: string;
  /** its CNAME target */
  readonly target: string;
}

interface KubeApi {
  readonly server: string;
  readonly caFile: string;
  readonly token: string;
}

/** As many as plan business lets an account have. */
const projectsOfOne = 100;

/** So many projects, as a project has one primary domain, of as few accounts as may have them. */
export async function crowdOf(stage: Stage, kubeApi: KubeApi, count: number): Promise<readonly CrowdProject[]> {
  const api = createBulkApi(kubeApi.server, kubeApi);
  try {
    const accounts = await Promise.all(
      Array.from({ length: Math.ceil(count / projectsOfOne) }, async (_, index) => {
        const name = `crowd${index}`;
        await stage.account(name, 'business');
        const tenant = await stage.tenant(name, 'web');
        await tenant.becomeReady();
        return { name, rest: await stage.rest(name) };
      }),
    );
    const made = Array.from({ length: count }, (_, index) => ({
      ...(accounts[Math.floor(index / projectsOfOne)] as (typeof accounts)[number]),
      project: `p${index}`,
    }));
    await api.each(count, (index) => {
      const { name = '', project = '' } = made[index] ?? {};
      return ['POST', collectionPath(ProjectKind, name), manifestOf(name, project)];
    });
    const crowd: CrowdProject[] = Array.from({ length: count });
    await manyAtATime(made.entries(), 16, async ([index, { name, rest, project }]) => {
      const path = objectPath(ProjectKind, { namespace: name, name: project });
      const target = await within(`${project} of ${name} is deployed`, stage.patienceMs, async () => {
        const { status } = (await api.send('GET', path)) as Project;
        expectThat(status?.deployedAt !== undefined && status.target !== undefined, 'not deployed yet');
        return status.target;
      });
      crowd[index] = { rest, project, target };
    });
    await untilRouted(api, count);
    return crowd;
  } finally {
    api.close();
  }
}

/** Each project's platform hostname has a route of its own, which follows a little later. */
const untilRouted = (api: BulkApi, count: number): Promise<void> =>
  eventually(`${count} projects have their routes`, 600_000, async () => {
    const { items } = (await api.send('GET', collectionPath(IngressKind))) as { readonly items: readonly unknown[] };
    expectThat(items.length >= count, `${items.length} of ${count}`);
  });

const manifestOf = (namespace: string, name: string) => ({
  apiVersion: ProjectKind.apiVersion,
  kind: ProjectKind.kind,
  metadata: { name, namespace },
  spec: { service: { name: 'web', port: 8080 }, subdomain: name },
});
