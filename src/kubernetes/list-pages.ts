import { AnswerTooLongError, isGone } from './kubernetes-errors.ts';
import { collectionPath, query } from './object-keys.ts';
import type { Kind, KubernetesObject, ListOptions } from './kubernetes-port.ts';
import type { Transport } from './transport.ts';

/** Some of the objects of a list. */
export interface ListedPage<T> {
  readonly items: readonly T[];
  /** the same on each page: the version from which a watch continues */
  readonly resourceVersion: string;
}

interface Page<T> {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly T[] | null;
}

/** Items of a page: text and objects of a page are in memory at once, of each kind that is listed at the time. */
const pageSize = 100;
const attemptsAtMost = 3;

/** Every object of a kind, with apiVersion and kind filled in and without managedFields. */
export async function listAll<T extends KubernetesObject>(
  transport: Transport,
  kind: Kind<T>,
  options: ListOptions = {},
): Promise<readonly T[]> {
  return withFreshList(async () => {
    const items: T[] = [];
    for await (const page of listPages(transport, kind, options)) items.push(...page.items);
    return items;
  });
}

/** Begins again when the continue token of a list has expired (410), at most twice. */
export async function withFreshList<R>(list: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await list();
    } catch (error) {
      if (!isGone(error) || attempt >= attemptsAtMost) throw error;
    }
  }
}

/** The same in pages. Throws when the continue token has expired (410): what was given until then is no whole list. */
export async function* listPages<T extends KubernetesObject>(
  transport: Transport,
  kind: Kind<T>,
  options: ListOptions = {},
): AsyncGenerator<ListedPage<T>> {
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
    const items = (page.items ?? []).map((item) => trimmed(kind, item));
    yield { items, resourceVersion: page.metadata.resourceVersion ?? '' };
    next = page.metadata.continue || undefined;
    if (next === undefined) return;
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

/**
 * Adds apiVersion and kind, which list items lack, and removes managedFields, which are large and never read here. The
 * fields have the same order whether the object came in a list or a watch event.
 */
export function trimmed<T extends KubernetesObject>({ apiVersion, kind }: Kind<T>, object: T): T {
  const { managedFields: _, ...metadata } = object.metadata as T['metadata'] & { managedFields?: unknown };
  return Object.assign({ apiVersion, kind }, object, { metadata });
}
