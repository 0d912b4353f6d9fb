import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import { askRaw } from '../../browser/raw.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/** A stranger asks for hundreds of paths, methods and hosts that are not there: none of them becomes a time series. */

let platform: AttackPlatform;

beforeAll(async () => {
  platform = await attackPlatform();
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

/** Names and labels of all series, without those of the runtime itself. */
async function series(url: string): Promise<readonly string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('projectdomain_'));
  return lines.map((line) => line.slice(0, line.lastIndexOf(' ')));
}

const strange = (index: number) => `/v1/${'x'.repeat(1 + (index % 7))}-${index}?q=${index}`;

describe('three hundred requests that nobody has ever made', () => {
  it('to the API add no series that names them', async () => {
    const url = platform.facts.metricsUrls.apiServer ?? '';
    for (let index = 0; index < 300; index += 1) {
      const from = `127.0.3.${1 + (index % 200)}`;
      await askRaw(`${platform.facts.apiUrl}${strange(index)}`, { from, method: index % 2 ? 'GET' : 'PURGE' });
    }
    const seen = await series(url);
    expect(seen.filter((line) => /x-\d+|PURGE/.test(line))).toEqual([]);
    expect(seen.length).toBeLessThan(1_500);
  });

  it('to the redirector add none either', async () => {
    const url = platform.facts.metricsUrls.redirector ?? '';
    const redirector = `http://${new URL(platform.facts.apiUrl ?? '').hostname}:8085`;
    await askRaw(`${redirector}/`, { headers: { host: 'first.example' } });
    const before = (await series(url)).length;
    for (let index = 0; index < 300; index += 1) {
      await askRaw(`${redirector}${strange(index)}`, { headers: { host: `h${index}.example` } });
    }
    expect((await series(url)).length).toBe(before);
  });
});
