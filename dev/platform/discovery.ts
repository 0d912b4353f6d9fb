import type { Api } from './api.ts';

/** A kind of the API server, and where its objects are. */
export interface ApiResource {
  /** `/api/v1` or `/apis/GROUP/VERSION` */
  readonly base: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
}

/** What the API server has, looked up again where something is not known yet. */
export interface Discovery {
  /** By a name as kubectl takes it: plural, singular or short, with `.GROUP` after it or not, in any case. */
  byName(name: string): Promise<ApiResource>;
  byKind(apiVersion: string, kind: string): Promise<ApiResource>;
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly singularName: string;
    readonly shortNames?: readonly string[];
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

interface GroupList {
  readonly groups: readonly {
    readonly name: string;
    readonly preferredVersion: { readonly groupVersion: string };
    readonly versions: readonly { readonly groupVersion: string }[];
  }[];
}

const baseOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

/** Path of all objects of a kind, in one namespace where they have one and it is given (https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris). */
export function collectionPath({ base, plural, isNamespaced }: ApiResource, namespace?: string): string {
  const scope = isNamespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${base}${scope}/${plural}`;
}

export const objectPath = (resource: ApiResource, namespace: string, name: string): string =>
  `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;

export function createDiscovery(api: Api): Discovery {
  const lists = new Map<string, Promise<ResourceList>>();
  let groups: Promise<GroupList> | undefined;
  const groupList = () => (groups ??= api.get<GroupList>('/apis'));
  const resourcesOf = (apiVersion: string): Promise<ResourceList> => {
    const list = lists.get(apiVersion) ?? api.get<ResourceList>(baseOf(apiVersion));
    lists.set(apiVersion, list);
    return list;
  };
  /** What was not there may have come since. */
  const found = async <T>(find: () => Promise<T | undefined>, what: string): Promise<T> => {
    const first = await find().catch(() => undefined);
    if (first !== undefined) return first;
    lists.clear();
    groups = undefined;
    const second = await find();
    if (second === undefined) throw new Error(`error: the server doesn't have a resource type "${what}"`);
    return second;
  };
  const inVersion = async (
    apiVersion: string,
    isIt: (resource: ResourceList['resources'][number]) => boolean,
  ): Promise<ApiResource | undefined> => {
    const { resources } = await resourcesOf(apiVersion);
    const one = resources.find((resource) => !resource.name.includes('/') && isIt(resource));
    return one && { base: baseOf(apiVersion), plural: one.name, isNamespaced: one.namespaced };
  };
  const named = async (name: string): Promise<ApiResource | undefined> => {
    const [short = '', ...rest] = name.toLowerCase().split('.');
    const group = rest.join('.');
    const versions = (await groupList()).groups
      .filter((one) => group === '' || one.name === group)
      .map(({ preferredVersion }) => preferredVersion.groupVersion);
    const isIt = ({ name: plural, singularName, shortNames = [] }: ResourceList['resources'][number]) =>
      [plural, singularName, ...shortNames].includes(short);
    for (const version of [...(group === '' ? ['v1'] : []), ...versions]) {
      const one = await inVersion(version, isIt);
      if (one !== undefined) return one;
    }
    return undefined;
  };
  return {
    byName: (name) => found(() => named(name), name),
    byKind: (apiVersion, kind) =>
      found(() => inVersion(apiVersion, (resource) => resource.kind === kind), `${kind} of ${apiVersion}`),
  };
}
