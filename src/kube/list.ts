import { isGone } from './errors.ts';
import { collectionPath, query } from './paths.ts';
import type { Kind, KubeObject, ListOptions } from './port.ts';
import type { Transport } from './transport.ts';

export interface Listed<T> {
  readonly items: readonly T[];
  /** where a watch goes on from */
  readonly resourceVersion: string;
}

interface Page<T> {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly T[] | null;
}

const pageSize = 500;
const restarts = 3;

/**
 * Every object of a kind, page by page, apiVersion and kind filled in and managedFields cut. A continuation that
 * expired (410) begins the list anew, a bounded number of times.
 */
export async function listAll<T extends KubeObject>(
  transport: Transport,
  kind: Kind<T>,
  options: ListOptions = {},
): Promise<Listed<T>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listPages(transport, kind, options);
    } catch (error) {
      if (!isGone(error) || attempt >= restarts) throw error;
    }
  }
}

async function listPages<T extends KubeObject>(
  transport: Transport,
  kind: Kind<T>,
  options: ListOptions,
): Promise<Listed<T>> {
  const items: T[] = [];
  let next: string | undefined;
  do {
    const asked = query({ limit: pageSize, continue: next, labelSelector: options.labelSelector });
    const page: Page<T> = await transport.call({
      method: 'GET',
      path: collectionPath(kind, options.namespace) + asked,
    });
    for (const item of page.items ?? []) items.push(trimmed(kind, item));
    next = page.metadata.continue || undefined;
    if (next === undefined) return { items, resourceVersion: page.metadata.resourceVersion ?? '' };
  } while (next !== undefined);
  throw new Error('unreachable');
}

/** List items lack apiVersion and kind, and managedFields are the bulk of an object that nobody here reads. */
export function trimmed<T extends KubeObject>({ apiVersion, kind }: Kind<T>, object: T): T {
  const { managedFields: _, ...metadata } = object.metadata as T['metadata'] & { managedFields?: unknown };
  return { ...object, apiVersion, kind, metadata };
}
