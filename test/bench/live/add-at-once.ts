import { setTimeout as sleep } from 'node:timers/promises';
import type { Rest } from '../../../dev/lib/rest.ts';
import type { Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import {
  CertificateKind,
  CertificateRequestKind,
  IngressKind,
  ProjectDomainKind,
  SecretKind,
} from '../../../src/resources/kinds.ts';
import { addDomain } from './add-domain.ts';
import { watchObjects } from './watched-objects.ts';

interface WantedDomain {
  readonly rest: Rest;
  readonly project: string;
  readonly hostname: string;
}

export interface AddedAtOnce {
  /** milliseconds from the call that adds a domain until it is Live, of those that are */
  readonly live: readonly number[];
  /** milliseconds until all are Live, or the time was up */
  readonly tookMs: number;
  /** by kind, objects that came meanwhile */
  readonly added: ReadonlyMap<string, number>;
}

const acme = { apiVersion: 'acme.cert-manager.io/v1', namespaced: true } as const;
const counted: readonly Kind[] = [
  { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true },
  { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true },
  IngressKind,
  CertificateKind,
  SecretKind,
  CertificateRequestKind,
  { ...acme, kind: 'Order', plural: 'orders' },
  { ...acme, kind: 'Challenge', plural: 'challenges' },
];

/** cert-manager keeps a certificate's next key in a Secret of its own until it is issued, whoever the issuer is. */
const nextKey = "Secret, of cert-manager's next key";
const isNextKey = ({ metadata }: KubernetesObject): boolean =>
  metadata.labels?.['cert-manager.io/next-private-key'] === 'true';

type KubeApi = Parameters<typeof watchObjects>[0];

/** Adds all domains over REST at the same time, and waits until each is Live or the time is up; counts objects meanwhile. */
export async function addAtOnce(
  kubeApi: KubeApi,
  wanted: readonly WantedDomain[],
  withinMs: number,
): Promise<AddedAtOnce> {
  const added = new Map<string, number>();
  const liveAt = new Map<string, number>();
  const hostnames = new Set(wanted.map(({ hostname }) => hostname));
  const broken: Error[] = [];
  const onEnd = (error: Error) => void broken.push(error);
  let begunAt = Number.POSITIVE_INFINITY;
  const closes = await Promise.all([
    ...counted.map((kind) =>
      watchObjects(kubeApi, kind, {
        onEnd,
        tell: ({ type, object }) => {
          if (type !== 'ADDED' || performance.now() < begunAt) return;
          const name = isNextKey(object) ? nextKey : kind.kind;
          added.set(name, (added.get(name) ?? 0) + 1);
        },
      }),
    ),
    watchObjects(kubeApi, ProjectDomainKind, {
      onEnd,
      tell: ({ object: { metadata, status } }) => {
        if (status?.state !== 'Live' || !hostnames.has(metadata.name) || liveAt.has(metadata.name)) return;
        liveAt.set(metadata.name, performance.now());
      },
    }),
  ]);
  try {
    // What was there before is told first.
    await sleep(2_000);
    begunAt = performance.now();
    const addedAt = new Map<string, number>();
    await Promise.all(
      wanted.map(async ({ rest, project, hostname }) => {
        addedAt.set(hostname, performance.now());
        await addDomain({ rest, project }, { hostname });
      }),
    );
    for (let lap = 0; liveAt.size < wanted.length && performance.now() - begunAt < withinMs; lap += 1) {
      if (broken[0]) throw broken[0];
      if (lap % 100 === 0) process.stderr.write(`${liveAt.size} of ${wanted.length} are Live\n`);
      await sleep(100);
    }
    const tookMs = performance.now() - begunAt;
    // What an order costs may come late.
    await sleep(5_000);
    return { live: [...liveAt].map(([name, at]) => at - (addedAt.get(name) ?? begunAt)), tookMs, added };
  } finally {
    for (const close of closes) close();
  }
}
