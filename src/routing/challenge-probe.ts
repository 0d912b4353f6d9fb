import type { HttpQuestion } from './http-exchange.ts';
import { exchange } from './http-exchange.ts';

/** Where an edge listens, through which the authority's questions come. */
interface IngressAddress {
  readonly address: string;
  readonly ports: { readonly http: number; readonly https: number };
}

/** Everything that has to answer before a challenge is triggered. */
export interface ChallengeServers {
  /** where the redirector's Pods listen: IPv4 or IPv6 of each */
  readonly redirectors: { readonly addresses: readonly string[]; readonly port: number };
  /** every edge that serves hostnames: the authority may come to any of them */
  readonly ingresses: readonly IngressAddress[];
}

/**
 * Asks for some challenge paths of a hostname, with the text that belongs to each; resolves to the paths that every server answers with
 * just that. Never rejects.
 */
export type ChallengeProbe = (hostname: string, expected: ReadonlyMap<string, string>) => Promise<ReadonlySet<string>>;

const deadlineMs = 2_000;
const userAgent = 'projectdomain-challenge-probe';

/**
 * The authority may come to any redirector, and comes through an edge, which takes a moment to lead there: those of the paths that
 * each of them answers. None where there is no redirector.
 */
export async function answeredEverywhere(
  { redirectors, ingresses }: ChallengeServers,
  hostname: string,
  expected: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const { addresses, port } = redirectors;
  if (addresses.length === 0) return new Set();
  const seen = await Promise.all(
    [...expected].map(async ([path, text]) => {
      const answers = await Promise.all(addresses.map((address) => answerAt({ address, port, hostname, path })));
      if (!answers.every((answer) => answer === text)) return [];
      const through = await Promise.all(ingresses.map((ingress) => answerThrough(ingress, hostname, path)));
      return through.every((answer) => answer === text) ? [path] : [];
    }),
  );
  return new Set(seen.flat());
}

type Question = Pick<HttpQuestion, 'address' | 'port' | 'hostname' | 'path'>;

/** The text of a 200; null for anything else, and for an answer that does not come. */
async function answerAt(question: Question): Promise<string | null> {
  const reply = await exchange({ ...question, scheme: 'http', userAgent }, AbortSignal.timeout(deadlineMs));
  return reply?.status === 200 ? reply.body : null;
}

/** The same of the ingress, which may redirect to HTTPS: authorities follow (RFC 8555, section 8.3), and verify no certificate there. */
async function answerThrough(
  { address, ports }: IngressAddress,
  hostname: string,
  path: string,
): Promise<string | null> {
  const signal = AbortSignal.timeout(deadlineMs);
  const question = { address, hostname, path, userAgent };
  const first = await exchange({ ...question, scheme: 'http', port: ports.http }, signal);
  const isSecured = first !== null && first.location !== null && isSameOverHttps(first.location, hostname, path);
  const last = isSecured ? await exchange({ ...question, scheme: 'https', port: ports.https }, signal) : first;
  return last?.status === 200 ? last.body : null;
}

/** On port 443: authorities follow to no other. */
function isSameOverHttps(location: string, hostname: string, path: string): boolean {
  const url = URL.parse(location, `http://${hostname}${path}`);
  return url?.protocol === 'https:' && url.host === hostname && url.pathname === path;
}
