import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { manyAtATime } from '../../../dev/campaigns/bulk.ts';
import { watchProcessor } from '../../../dev/campaigns/processor.ts';
import { tokenOf } from '../../../dev/platform/ours.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { ScaleCluster } from '../../scale/scale-cluster.ts';
import type { Quartiles } from '../quota/quartiles.ts';
import { mean, quartiles } from '../quota/quartiles.ts';
import type { MeasuredApi } from './measured-api.ts';
import type { ServedAccount } from './served-account.ts';
import { project } from './served-account.ts';

const atATime = 32;

export interface CreateOptions {
  readonly cluster: ScaleCluster;
  readonly accounts: readonly ServedAccount[];
  readonly rounds: number;
  readonly creates: number;
}

/** One round of creates. */
interface Round {
  readonly perSecond: number;
  /** milliseconds of the kube-apiserver's and the API server's processor for each create */
  readonly kubeCpu: number;
  readonly apiCpu: number;
}

export interface CreateSummary {
  /** of a plain client's creates per second, right before and right after */
  readonly ratio: Quartiles;
  readonly ours: Round;
  readonly plain: Round;
}

/** Where creates go, and what one is. */
interface Way {
  readonly pool: Pool;
  readonly call: (hostname: string, account: ServedAccount) => Call;
}

interface Call {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/**
 * Domains created by the API beside the same objects created by a client that sends them straight to the kube-apiserver, as the API's own
 * ServiceAccount. All are removed after their round.
 */
export async function measureCreates(api: MeasuredApi, options: CreateOptions): Promise<CreateSummary> {
  const { cluster, rounds, accounts } = options;
  const [first] = accounts;
  if (!first) throw new Error('no account');
  const { server, caFile } = cluster.controlPlane;
  const token = await tokenOf('api-server', cluster.around);
  const ours: Way = { pool: new Pool(api.url, { connections: atATime }), call: byApi };
  const pool = new Pool(server, { connections: atATime, connect: { ca: readFileSync(caFile) } });
  try {
    const sample = await sampleOf(ours, { cluster, account: first });
    const plain: Way = { pool, call: straight(token, sample) };
    const measured: { mine: Round; around: readonly [Round, Round] }[] = [];
    let number = 0;
    const round = (way: Way) => runRound(way, { ...options, api, token, kube: pool, number: (number += 1) });
    for (const way of [plain, ours]) await round(way);
    for (let at = 0; at < rounds; at += 1) {
      const before = await round(plain);
      measured.push({ mine: await round(ours), around: [before, await round(plain)] });
    }
    return {
      ratio: quartiles(
        measured.map(({ mine, around }) => mine.perSecond / mean(around.map(({ perSecond }) => perSecond))),
      ),
      ours: middleOf(measured.map(({ mine }) => mine)),
      plain: middleOf(measured.flatMap(({ around }) => around)),
    };
  } finally {
    await Promise.all([ours.pool.destroy(), pool.destroy()]);
  }
}

function middleOf(rounds: readonly Round[]): Round {
  const middle = (pick: (round: Round) => number) => quartiles(rounds.map(pick))[1];
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    kubeCpu: middle(({ kubeCpu }) => kubeCpu),
    apiCpu: middle(({ apiCpu }) => apiCpu),
  };
}

const byApi = (hostname: string, { key, primary }: ServedAccount): Call => ({
  path: `/v1/projects/${project}/domains`,
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: { hostname, role: 'redirect', redirect: { to: primary } },
});

const collectionOf = ({ namespace }: Pick<ServedAccount, 'namespace'>): string =>
  `/apis/projectdomain.io/v1alpha1/namespaces/${namespace}/projectdomains`;

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

const straight =
  (token: string, { apiVersion, kind, metadata, spec }: ProjectDomain): Way['call'] =>
  (hostname, account) => ({
    path: collectionOf(account),
    headers: bearer(token),
    body: {
      apiVersion,
      kind,
      metadata: { ...metadata, name: hostname, namespace: account.namespace },
      spec: { ...spec, hostname, redirect: { ...spec.redirect, to: account.primary } },
    },
  });

/** What the API writes, without what the kube-apiserver adds. */
async function sampleOf(
  ours: Way,
  { cluster, account }: { cluster: ScaleCluster; account: ServedAccount },
): Promise<ProjectDomain> {
  const hostname = `sample.${account.namespace}.example`;
  await send(ours, hostname, account);
  const { kubectl } = cluster.around;
  const made = await kubectl.get<ProjectDomain>('projectdomain', hostname, account.namespace);
  if (!made) throw new Error('the API made nothing');
  await kubectl.run(['delete', 'projectdomain', hostname, '-n', account.namespace]);
  const { labels, annotations, ownerReferences } = made.metadata;
  const written = Object.entries({ labels, annotations, ownerReferences }).filter(([, value]) => value !== undefined);
  return { ...made, metadata: { name: hostname, ...Object.fromEntries(written) } };
}

interface RoundOptions extends CreateOptions {
  readonly api: MeasuredApi;
  readonly token: string;
  readonly kube: Pool;
  readonly number: number;
}

async function runRound(
  way: Way,
  { cluster, api, accounts, creates, token, kube, number }: RoundOptions,
): Promise<Round> {
  const accountAt = (at: number) => accounts[at % accounts.length] as ServedAccount;
  const hostnameAt = (at: number) => `c${number}-${at}.${accountAt(at).namespace}.example`;
  const used = watchProcessor({ kube: cluster.controlPlane.parts.apiServer.pid, api: api.part.pid });
  const begunAt = performance.now();
  await manyAtATime(Array(creates).keys(), atATime, (at) => send(way, hostnameAt(at), accountAt(at)));
  const tookMs = performance.now() - begunAt;
  const { byPart } = used();
  await manyAtATime(Array(creates).keys(), atATime, async (at) => {
    const path = `${collectionOf(accountAt(at))}/${hostnameAt(at)}`;
    const { statusCode, body } = await kube.request({ method: 'DELETE', path, headers: bearer(token) });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`DELETE ${path}: ${statusCode} ${text}`);
  });
  return {
    perSecond: (creates * 1_000) / tookMs,
    kubeCpu: ((byPart.kube ?? Number.NaN) * tookMs) / creates,
    apiCpu: ((byPart.api ?? Number.NaN) * tookMs) / creates,
  };
}

async function send({ pool, call }: Way, hostname: string, account: ServedAccount): Promise<void> {
  const { path, headers, body } = call(hostname, account);
  const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`POST ${path}: ${answer.statusCode} ${text}`);
}
