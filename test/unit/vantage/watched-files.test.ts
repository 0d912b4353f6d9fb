import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createCallerTokens } from '../../../src/vantage/check-server.ts';
import { useFiles } from '../../../src/vantage/run-vantage.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const first = 'the-first-token-of-thirty-two-characters';
const second = 'the-second-token-of-thirty-two-characters';

let dir: string;
let file: string;
let ended: AbortController;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-files-'));
  file = join(dir, 'tokens');
  ended = new AbortController();
});

afterEach(() => {
  ended.abort();
  rmSync(dir, { recursive: true, force: true });
});

/** The tokens in use, and how to let ten seconds pass until they are those. */
async function following() {
  const clock = createFakeClock();
  const log = { ...silentLog, warn: () => (warnings += 1) };
  let warnings = 0;
  const inUse = createCallerTokens();
  const tokens = () => [first, second].filter((token) => inUse.isAuthorized(`Bearer ${token}`));
  await useFiles({ paths: [file], use: ([content = '']) => inUse.use(content), clock, log }, ended.signal);
  const until = (what: string, isSo: () => boolean) =>
    eventually(what, 10_000, async () => {
      await clock.advance(10_000);
      expectThat(isSo(), `the tokens are ${tokens().join()}, after ${warnings} warnings`);
    });
  return { tokens, warnings: () => warnings, until };
}

describe('a token file', () => {
  it('is read again when it changes', async () => {
    writeFileSync(file, `${first}\n`);
    const { tokens, until } = await following();
    expect(tokens()).toEqual([first]);
    writeFileSync(file, `${second}\n${first}\n`);
    await until('both are in use', () => tokens().length === 2);
  });

  it.each([
    ['emptied', '\n'],
    ['given a token that can be guessed', 'hunter2\n'],
    ['given words', `${first} ${second}\n`],
  ])('that is %s leaves the tokens from before, and says so', async (_, content) => {
    writeFileSync(file, first);
    const { tokens, warnings, until } = await following();
    writeFileSync(file, content);
    await until('it says so', () => warnings() > 0);
    expect(tokens()).toEqual([first]);
  });

  it('that is not there, or holds none, is no start', async () => {
    await expect(following()).rejects.toThrow('ENOENT');
    writeFileSync(file, '');
    await expect(following()).rejects.toThrow('the token file is empty');
  });
});
