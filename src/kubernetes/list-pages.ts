import { AnswerTooLongError, isGone } from './kubernetes-errors.ts';
import { collectionPath, query } from './object-keys.ts';
import type { Kind, KubernetesObject, ListOptions } from './kubernetes-port.ts';
import type { Transport } from './transport.ts';

export interface Listed<T> {
  readonly items: readonly T[];
  /** the version from which a watch continues */
  readonly resourceVersion: string;
}

interface Page<T> {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly T[] | null;
}

/** Items of a page: text and objects of a page are in memory at once, of each kind that is listed at the time. */
const pageSize = 100;
const attemptsAtMost = 3;

interface KeptOptions<T> extends ListOptions {
  /** what is kept of an item, so that no more than a page of whole ones is held; all of it when absent */
  readonly keep?: (item: T) => T;
}

/**
 * Lists every object of a kind in pages, with apiVersion and kind filled in and managedFields removed. Starts again
 * when the continue token has expired (410), at most twice.
 */
export async function listAll<T extends KubernetesObject>(
  transport: Transport,
  kind: Kind<T>,
  options: KeptOptions<T> = {},
): Promise<Listed<T>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listPages(transport, kind, options);
    } catch (error) {
      if (!isGone(error) || attempt >= attemptsAtMost) throw error;
    }
  }
}

async function listPages<T extends KubernetesObject>(
  transport: Transport,
  kind: Kind<T>,
  { keep = (item) => item, ...options }: KeptOptions<T>,
): Promise<Listed<T>> {
  const items: T[] = [];
  let next: string | undefined;
  let limit = pageSize;
  for (;;) {
    const parameters = query({ limit, continue: next, labelSelector: options.labelSelector });
    const path = collectionPath(kind, options.namespace) + parameters;
    const page = await pageOrTooLong<T>(transport, path, limit);
    if (page === 'too long') {
      limit = Math.ceil(limit / 4);
      continue;
    }
    for (const item of page.items ?? []) items.push(keep(trimmed(kind, item)));
    next = page.metadata.continue || undefined;
    if (next === undefined) return { items, resourceVersion: page.metadata.resourceVersion ?? '' };
  }
}

/** Very large objects are requested in smaller pages; a single object always fits into one answer. */
async function pageOrTooLong<T>(transport: Transport, path: string, limit: number): Promise<Page<T> | 'too long'> {
  try {
    return await transport.call({ method: 'GET', path });
  } catch (error) {
    if (error instanceof AnswerTooLongError && limit > 1) return 'too long';
    throw error;
  }
}

/** Adds apiVersion and kind, which list items lack, and removes managedFields, which are large and never read here. */
export function trimmed<T extends KubernetesObject>({ apiVersion, kind }: Kind<T>, object: T): T {
  const { managedFields: _, ...metadata } = object.metadata as T['metadata'] & { managedFields?: unknown };
  return { ...object, apiVersion, kind, metadata };
}
