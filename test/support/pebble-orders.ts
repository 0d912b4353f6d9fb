import type { AccountKey } from '../../src/acme/account-key.ts';
import { keyAuthorization } from '../../src/acme/account-key.ts';
import type { AcmeAccount } from '../../src/acme/acme-client.ts';
import { advanceOrder } from '../../src/controllers/acme-order/advance-order.ts';
import { giveUpProofs, certificateFacts } from '../../src/controllers/acme-order/order-end.ts';
import type { AcmeOrder } from '../../src/controllers/acme-order/order-record.ts';
import type { OrderPorts, WantedCertificate } from '../../src/controllers/acme-order/place-order.ts';
import type { TestPebble } from './pebble.ts';
import { signingRequestDer } from './signing-request.ts';

/** A certificate that Pebble issued, with what a claim remembers of it. */
export interface IssuedAtPebble {
  readonly acme: AcmeOrder;
  /** PEM */
  readonly chain: string;
}

interface Orderer {
  readonly account: AcmeAccount;
  readonly key: AccountKey;
}

const looks = 100;

/** A first certificate for one hostname, validated over HTTP. */
export const wantedOverHttp = (hostname: string): WantedCertificate => ({
  hostname,
  signingRequest: signingRequestDer({ names: `DNS:${hostname}` }),
  challenge: 'http-01',
  profile: null,
  preferredChain: null,
  replaces: null,
  placeBefore: null,
});

/** Orders as the operator does, proofs given up at the end; the web server of the platform answers the challenge. */
export async function issueAtPebble(
  { answers }: Pick<TestPebble, 'answers'>,
  { account, key }: Orderer,
  hostname: string,
): Promise<IssuedAtPebble> {
  let known: AcmeOrder | null = null;
  const ports: OrderPorts = {
    account,
    thumbprint: key.thumbprint,
    remember: (order) => Promise.resolve(void (known = order)),
    answered(tokens) {
      for (const token of tokens) answers.set(token, keyAuthorization(token, key.thumbprint));
      return Promise.resolve(new Set(tokens));
    },
    triggered: new Set(),
    now: Date.now,
  };
  const wanted = wantedOverHttp(hostname);
  for (let look = 0; look < looks; look += 1) {
    const progress = await advanceOrder(known, wanted, ports, new AbortController().signal);
    if (progress.kind === 'Refused') throw new Error(progress.refusal.message);
    const order = known as AcmeOrder | null;
    if (progress.kind === 'Issued' && order) {
      const { chain } = progress;
      await giveUpProofs(order, account);
      return { acme: { ...order, ...certificateFacts(chain, progress.download) }, chain };
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${hostname} was not issued`);
}
