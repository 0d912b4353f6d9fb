import { join } from 'node:path';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { readApiConfig } from '../../src/api-server/config.ts';
import type { ApiConfig } from '../../src/api-server/config.ts';
import { runApiServer } from '../../src/api-server/run-api-server.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { readOperatorConfig } from '../../src/operator/config.ts';
import { runOperator } from '../../src/operator/run-operator.ts';
import type { Setup } from './setup.ts';

/** Operator and API server in this process, with a clock that can be moved on; all else is as it was. */
export interface InProcess {
  moveOn(byMs: number): void;
  /** the time by that clock, Unix ms */
  now(): number;
  stop(): Promise<void>;
}

/** Takes the place of the platform's own two. `changes`: what the API server is told beside. */
export async function runInProcess({ platform, url }: Setup, changes: Partial<ApiConfig> = {}): Promise<InProcess> {
  await platform.ours('operator')?.stop();
  await platform.ours('api-server')?.stop();
  const dir = join(platform.controlPlane.kubeconfig, '..');
  const ended = new AbortController();
  let aheadMs = 0;
  const around = { clock: { ...systemClock, now: () => Date.now() + aheadMs }, log: silentLog };
  const apiConfig = { ...readApiConfig(join(dir, 'api-server.json')), ...changes };
  const running = [
    runOperator({ config: readOperatorConfig(join(dir, 'operator.json')), ...around }, ended.signal),
    runApiServer({ config: apiConfig, ...around }, ended.signal),
  ];
  await eventually('the API answers again', 60_000, async () => {
    expectThat((await fetch(`${url}/v1/openapi.json`)).ok, 'not yet');
  });
  return {
    now: () => Date.now() + aheadMs,
    moveOn: (byMs) => void (aheadMs += byMs),
    async stop() {
      ended.abort();
      await Promise.all(running);
    },
  };
}
