import { beforeAll, describe, expect, it } from '@jest/globals';
import { findTools } from '../../../dev/platform/tools.ts';
import { changes } from './changes.ts';
import type { Manifest } from './rendering.ts';
import { render, textOf } from './rendering.ts';
import type { Values } from './values.ts';

/** No value that changes nothing: each is rendered as it was and as it is set, by helm itself. */

let helm = '';
const rendered = new Map<string, Promise<readonly Manifest[]>>();

beforeAll(async () => {
  ({ helm } = await findTools((line) => process.stderr.write(`${line}\n`)));
}, 600_000);

function manifestsOf(values: Values): Promise<readonly Manifest[]> {
  const key = JSON.stringify(values);
  const found = rendered.get(key) ?? render(helm, values);
  rendered.set(key, found);
  return found;
}

describe('each value', () => {
  it.each(changes.map(({ path, before, after }) => [path, before, after] as const))(
    'changes what is installed: %s',
    async (_, before, after) => {
      expect(textOf(await manifestsOf(after))).not.toBe(textOf(await manifestsOf(before)));
    },
  );
});
