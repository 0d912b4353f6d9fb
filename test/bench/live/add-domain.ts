import { setTimeout as sleep } from 'node:timers/promises';
import type { Rest } from '../../../dev/lib/rest.ts';

interface Place {
  readonly rest: Rest;
  readonly project: string;
}

/** The API server refuses what is too much for it at once, as it does for everybody; who is refused asks again after a second. */
export async function addDomain(
  { rest, project }: Place,
  domain: { readonly hostname: string } & Readonly<Record<string, unknown>>,
): Promise<void> {
  for (;;) {
    const { status, body } = await rest(`/v1/projects/${project}/domains`, { method: 'POST', body: domain });
    if (status === 201) return;
    if (status !== 503) throw new Error(`Add of ${domain.hostname}: ${status} ${JSON.stringify(body)}`);
    await sleep(1_000);
  }
}
