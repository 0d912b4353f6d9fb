import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Platform } from '../../dev/platform/platform.ts';

/** What a behaviour may have done to the platform, which runs in another process: parts are stopped, and started again. */
export const platformActions = (platform: Platform) => ({
  'stop operator': async () => platform.ours('operator')?.stop(),
  'start operator': () => platform.restart('operator'),
  'stop api-server': async () => platform.ours('api-server')?.stop(),
  'start api-server': () => platform.restart('api-server'),
  'stop redirector': async () => platform.ours('redirector')?.stop(),
  'start redirector': () => platform.restart('redirector'),
  'freeze redis': () => Promise.resolve(platform.parts.redis.signal('SIGSTOP')),
  'thaw redis': () => Promise.resolve(platform.parts.redis.signal('SIGCONT')),
  'stop kube-apiserver': () => platform.controlPlane.parts.apiServer.stop(),
  'restart edge': () => platform.restartEdge(),
  'start kube-apiserver': () => platform.controlPlane.restartApiServer(),
});

export type PlatformAction = keyof ReturnType<typeof platformActions>;

export interface PlatformControl {
  readonly url: string;
  stop(): void;
}

/** Lets another process act on a platform. */
export async function openPlatformControl(
  possible: Readonly<Partial<Record<PlatformAction, () => Promise<unknown>>>>,
): Promise<PlatformControl> {
  const actions = new Map<string, () => Promise<unknown>>(Object.entries(possible));
  const server = createServer((request, response) => {
    const action = actions.get(decodeURIComponent((request.url ?? '').slice(1)));
    const acting = action ? action() : Promise.reject(new Error('there is no such action'));
    acting.then(
      () => response.writeHead(204).end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Has it done by whoever runs the platform, and resolves when it is done. */
export async function actOnPlatform(action: PlatformAction): Promise<void> {
  const url = `${process.env.PROJECTDOMAIN_CONTROL}/${encodeURIComponent(action)}`;
  const response = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(100_000) });
  if (!response.ok) throw new Error(`${action}: ${await response.text()}`);
}
