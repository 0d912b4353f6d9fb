import { createKey } from '../../dev/platform/demo-account.ts';
import type { PlatformFacts } from '../../dev/platform/platform.ts';
import type { RawAnswer } from '../browser/raw.ts';
import { askRaw } from '../browser/raw.ts';

/** Fetches a page by its path below `/dashboard`. */
export type Visitor = (path: string) => Promise<RawAnswer>;

const agent = 'Mozilla/5.0';

/** Signs in with a new key of the account. */
export async function signedIn({ apiUrl, kubeconfig }: PlatformFacts, account: string): Promise<Visitor> {
  const dashboard = `${apiUrl}/dashboard`;
  const form = { key: await createKey(account, kubeconfig) };
  const entered = await askRaw(`${dashboard}/sign-in`, { method: 'POST', form, headers: { 'user-agent': agent } });
  const [cookie = ''] = String(entered.headers['set-cookie']).split(';');
  return (path) => askRaw(`${dashboard}${path}`, { headers: { cookie, 'user-agent': agent } });
}
