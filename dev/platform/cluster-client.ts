import type { ApiCall } from './api.ts';
import { ApiError, createApi } from './api.ts';
import { collectionPath, createDiscovery, objectPath } from './discovery.ts';
import type { Kubectl } from './kubectl.ts';
import { createKubectl } from './kubectl.ts';

/** An object as it is sent. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  /** absent in what is only asked, as a SubjectAccessReview */
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly resourceVersion?: string };
}

/** How a write is made. */
export interface WriteOptions {
  /** whom an administrator acts as */
  readonly as?: ApiCall['as'];
  /** nothing is kept of it */
  readonly isRehearsal?: boolean;
  readonly subresource?: 'status';
  /** as kubectl's `--warnings-as-errors` */
  readonly refusesWarnings?: boolean;
}

/** A merge patch of one object. */
interface MergePatch {
  /** plural, singular or short */
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly change: object;
}

/**
 * kubectl for whom it is no matter how people use it: what has a method of its own is a request of this process, which costs a fiftieth of a
 * process of kubectl. Refusals are worded as kubectl words them.
 */
export interface ClusterClient extends Kubectl {
  /** Resolves to what the API server made of it. */
  create<T>(object: object, options?: WriteOptions): Promise<T>;
  /** What stands there, whichever version it has, unless the object says which. */
  replace(object: object, options?: WriteOptions): Promise<void>;
  /** Server-side apply, with force. */
  applyAs(object: object, options?: WriteOptions): Promise<void>;
  /** All of a kind, in a namespace or in all of them. */
  list<T>(kind: string, namespace?: string): Promise<readonly T[]>;
  /** Whether it would be deleted; rejects with why it would not. */
  rehearseDelete(of: Omit<MergePatch, 'change'>, as: NonNullable<ApiCall['as']>): Promise<void>;
  /** One PATCH, where `kubectl patch` reads first. */
  patch(patch: MergePatch, options?: WriteOptions): Promise<void>;
}

/** For kubeconfigs written by this platform. */
export function createClusterClient(program: string, kubeconfig: string): ClusterClient {
  const api = createApi(kubeconfig);
  const discovery = createDiscovery(api);
  const resourceOf = ({ apiVersion, kind }: Manifest) => discovery.byKind(apiVersion, kind);
  /** Unknown fields are refused, as kubectl has them refused. */
  const queryOf = ({ isRehearsal = false }: WriteOptions, more = '') =>
    `?fieldValidation=Strict${isRehearsal ? '&dryRun=All' : ''}${more}`;
  const pathOfOne = async (object: Manifest, { subresource }: WriteOptions): Promise<string> => {
    const { name = '', namespace = 'default' } = object.metadata ?? {};
    const path = objectPath(await resourceOf(object), namespace, name);
    return subresource === undefined ? path : `${path}/${subresource}`;
  };
  const versionOf = async (path: string, options: WriteOptions): Promise<string> => {
    const { metadata } = await api.call<Required<Manifest>>({ method: 'GET', path, ...byWhom(options) });
    return metadata.resourceVersion ?? '';
  };
  const byWhom = ({ as, refusesWarnings = false }: WriteOptions) => ({ refusesWarnings, ...(as && { as }) });

  const client: Omit<ClusterClient, keyof Kubectl> = {
    async create<T>(object: object, options: WriteOptions = {}) {
      const manifest = object as Manifest;
      const path = collectionPath(await resourceOf(manifest), manifest.metadata?.namespace ?? 'default');
      return api.call<T>({ method: 'POST', path: path + queryOf(options), body: object, ...byWhom(options) });
    },
    async replace(object, options = {}) {
      const manifest = object as Manifest;
      const path = await pathOfOne(manifest, options);
      const { resourceVersion = await versionOf(path, options) } = manifest.metadata ?? {};
      const body = { ...manifest, metadata: { ...manifest.metadata, resourceVersion } };
      await api.call({ method: 'PUT', path: path + queryOf(options), body, ...byWhom(options) });
    },
    async applyAs(object, options = {}) {
      const path = await pathOfOne(object as Manifest, options);
      const query = queryOf(options, '&fieldManager=kubectl&force=true');
      const type = 'application/apply-patch+yaml';
      await api.call({ method: 'PATCH', path: path + query, body: object, type, ...byWhom(options) });
    },
    async list<T>(kind: string, namespace?: string) {
      const path = collectionPath(await discovery.byName(kind), namespace);
      return (await api.get<{ readonly items: readonly T[] }>(path)).items;
    },
    async rehearseDelete({ kind, name, namespace }, as) {
      const path = objectPath(await discovery.byName(kind), namespace, name);
      await api.call({ method: 'DELETE', path: `${path}?dryRun=All`, as });
    },
    async patch({ kind, name, namespace, change }, options = {}) {
      const one = objectPath(await discovery.byName(kind), namespace, name);
      const path = (options.subresource === undefined ? one : `${one}/${options.subresource}`) + queryOf(options);
      const type = 'application/merge-patch+json';
      await api.call({ method: 'PATCH', path, body: change, type, ...byWhom(options) });
    },
  };
  return {
    ...createKubectl(program, kubeconfig),
    ...client,
    async apply(...objects) {
      const refusals: string[] = [];
      for (const object of objects) {
        await client.applyAs(object).catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
          refusals.push(error.message);
        });
      }
      if (refusals.length > 0) throw new Error(refusals.join('\n'));
    },
    async get<T>(kind: string, name: string, namespace = 'default') {
      const resource = await discovery.byName(kind);
      return api.get<T>(objectPath(resource, namespace, name)).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      });
    },
  };
}
