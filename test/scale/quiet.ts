import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import type { OurPart } from '../../dev/platform/ours.ts';
import { kubeRequests, requestsBetween, shown, writesIn } from './kube-requests.ts';

const withinMs = 900_000;
const quietForMs = 5_000;

/** Resolves once the operator has written nothing for some seconds. */
export async function untilNothingIsWritten({ metricsUrl }: OurPart): Promise<void> {
  await eventually('the operator writes nothing', withinMs, async () => {
    const before = await kubeRequests(metricsUrl);
    await sleep(quietForMs);
    const more = writesIn(requestsBetween(before, await kubeRequests(metricsUrl)));
    expectThat(more.size === 0, shown(more));
  });
}
