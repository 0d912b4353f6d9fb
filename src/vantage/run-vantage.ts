import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { checkerOptions, createDnsChecker } from '../dns/lookup/dns-checker.ts';
import { aborted } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { serveHealth } from '../lib/health-server.ts';
import { serveUntil } from '../lib/http-server.ts';
import type { Log } from '../lib/log.ts';
import { createCallerTokens, createCheckServer } from './check-server.ts';
import type { Certificate } from './check-server.ts';
import type { VantageConfig } from './config.ts';
import { createVantageMetrics } from './metrics.ts';

export interface VantageDependencies {
  readonly config: VantageConfig;
  readonly clock: Clock;
  readonly log: Log;
}

/** Answers checks until the signal, and a while longer. It knows no cluster and keeps nothing. */
export async function runVantage({ config, clock, log }: VantageDependencies, signal: AbortSignal): Promise<void> {
  let isServing = false;
  const notReady = () => (signal.aborted ? 'stopping' : isServing ? null : 'starting');
  const metrics = createVantageMetrics(() => notReady() === null);
  const stopHealth = await serveHealth(config.metricsAddress, { notReady, metrics: () => metrics.text() });
  const tokens = createCallerTokens();
  const files = { clock, log };
  await useFiles({ ...files, paths: [config.tokenFile], use: ([content = '']) => tokens.use(content) }, signal);
  const serve = (tls: Certificate | null) =>
    createCheckServer({
      dns: createDnsChecker({ ...checkerOptions(config), observe: metrics.checked }),
      atMost: config.concurrentChecks,
      isAuthorized: tokens.isAuthorized,
      answered: metrics.answered,
      failed: (error) => log.error({ err: error }, 'a check failed'),
      stopping: () => signal.aborted,
      tls,
    });
  const server = config.tls === null ? serve(null) : await overTls({ ...files, ...config.tls }, serve, signal);
  const stopServing = await serveUntil(server, config.listen);
  isServing = true;
  log.info({ listen: config.listen, startedInMs: Math.round(performance.now()) }, 'answering checks');
  await aborted(signal);
  await clock.sleep(config.lingerMs);
  await stopServing();
  await stopHealth();
}

type TlsFiles = NonNullable<VantageConfig['tls']> & Omit<VantageDependencies, 'config'>;

/** Serves with the certificate in the files, and with the next one when they change. */
async function overTls(
  { certFile, keyFile, clock, log }: TlsFiles,
  serve: (certificate: Certificate) => Server | TlsServer,
  signal: AbortSignal,
): Promise<Server | TlsServer> {
  let server: Server | TlsServer | null = null;
  const use = ([cert = '', key = '']: readonly string[]) => {
    if (server === null) server = serve({ cert, key });
    else if ('setSecureContext' in server) server.setSecureContext({ cert, key });
  };
  await useFiles({ paths: [certFile, keyFile], use, clock, log }, signal);
  return server ?? serve({ cert: '', key: '' });
}

/** A kubelet updates mounted Secrets about once a minute. */
const readEveryMs = 10_000;

interface WatchedFiles extends Omit<VantageDependencies, 'config'> {
  readonly paths: readonly string[];
  /** called with the contents, in order of the paths; an error that it throws leaves what it did before */
  readonly use: (contents: readonly string[]) => void;
}

/** Reads the files and uses them; rejects when that fails. Then does so again whenever one of them has changed. */
export async function useFiles({ paths, use, clock, log }: WatchedFiles, signal: AbortSignal): Promise<void> {
  const read = () => Promise.all(paths.map((path) => readFile(path, 'utf8')));
  let used = await read();
  use(used);
  const follow = async () => {
    while (!signal.aborted) {
      await clock.sleep(readEveryMs, signal);
      try {
        const found = await read();
        if (found.every((content, index) => content === used[index])) continue;
        use(found);
        used = found;
        log.info({ paths }, 'changed files are in use');
      } catch (error) {
        log.warn({ err: error, paths }, 'changed files cannot be used; those from before still are');
      }
    }
  };
  follow().catch(() => undefined); // the signal ends the sleep
}
