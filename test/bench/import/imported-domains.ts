import { manyAtATime } from '../../../dev/campaigns/bulk.ts';
import type { Fate } from '../../simulate/acme/import-names.ts';
import { fateOf, hostnameOf } from '../../simulate/acme/import-names.ts';
import { addDomain } from '../live/add-domain.ts';
import type { CrowdProject } from '../live/crowd-of-projects.ts';

/** One of the names that are imported. */
export interface ImportedName {
  readonly hostname: string;
  readonly fate: Fate;
  readonly owner: CrowdProject;
  /** its project's primary, which is never broken; null for that itself */
  readonly leadsTo: string | null;
}

/** Names of one project: its primary domain and redirects to that. */
export const namesOfProject = 10;

export const importedNames = (owners: readonly CrowdProject[]): readonly ImportedName[] =>
  owners.flatMap((owner, project) =>
    Array.from({ length: namesOfProject }, (_, nth) => {
      const index = project * namesOfProject + nth;
      const leadsTo = nth === 0 ? null : hostnameOf(project * namesOfProject);
      return { hostname: hostnameOf(index), fate: fateOf(index), owner, leadsTo };
    }),
  );

const foreignAuthority = 'elsewhere.example';

/** Master files of the zones that the names are in, by apex; `walled` is what those behind the wall are an address of. */
export function zonesOf(
  names: readonly ImportedName[],
  { elsewhere, walled }: { readonly elsewhere: string; readonly walled: string | null },
): ReadonlyMap<string, string> {
  const zones = new Map<string, string>();
  for (const { hostname, fate, owner } of names) {
    const [label = '', ...rest] = hostname.split('.');
    const apex = rest.join('.');
    const right = `${label} CNAME ${owner.target}.`;
    const records: Readonly<Record<Fate, string>> = {
      right,
      elsewhere: `${label} A ${elsewhere}`,
      forbidden: `${right}\n@ CAA 0 issue "${foreignAuthority}"`,
      walled: walled === null ? right : `${label} A ${walled}`,
    };
    zones.set(apex, `${zones.get(apex) ?? ''}${records[fate]}\n`);
  }
  return zones;
}

/** Adds all over REST, each project's one after the other; who is refused because the server is busy asks again. */
export async function addAll(names: readonly ImportedName[]): Promise<void> {
  const projects = Map.groupBy(names, ({ owner }) => owner.project);
  await manyAtATime(projects.values(), 16, async (own) => {
    for (const name of own) await addOne(name);
  });
}

const addOne = ({ hostname, owner, leadsTo }: ImportedName): Promise<void> =>
  addDomain(owner, leadsTo === null ? { hostname } : { hostname, role: 'redirect', redirect: { to: leadsTo } });
