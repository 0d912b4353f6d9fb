import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import type { OurName } from '../../dev/platform/ours.ts';
import type { PlatformFacts } from '../../dev/platform/platform.ts';

/** What a platform's processes load whose clocks are to leap. */
export const leapingClock = join(import.meta.dirname, 'leaping-clock/main.ts');

const ours: readonly OurName[] = ['operator', 'api-server', 'redirector'];

/**
 * Has time go by for our processes of a platform, and for no other: the kube-apiserver, Redis, the authority and cert-manager stay where they are.
 * Resolves once all that became due meanwhile has run; requests that they sent were answered first, as if they had waited.
 */
export async function leap({ kubeconfig }: Pick<PlatformFacts, 'kubeconfig'>, ms: number): Promise<void> {
  const folder = dirname(kubeconfig);
  const file = join(folder, 'leapt');
  // Who is started meanwhile begins where the others end.
  writeFileSync(file, String((existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0) + ms));
  await Promise.all(ours.map((name) => leapOf(join(folder, `${name}.clock`), ms)));
}

/** A process that does not run has nothing to leap over. */
const leapOf = (socket: string, ms: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const connection = createConnection(socket, () => connection.write(String(ms)));
    connection.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT' || error.code === 'ECONNRESET') resolve();
      else reject(error);
    });
    connection.on('close', () => resolve());
    connection.resume();
  });
