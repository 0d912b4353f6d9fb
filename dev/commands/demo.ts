import { argumentsOf } from '../lib/arguments.ts';
import { untilStopped } from '../lib/until-stopped.ts';
import { serveOwnChallengeZone } from '../platform/challenge-zone.ts';
import { createKey } from '../platform/demo-account.ts';
import { startPlatform } from '../platform/platform.ts';
import type { Platform } from '../platform/platform.ts';
import { play } from '../story/play.ts';
import { createStage } from '../story/stage.ts';
import { story } from '../story/story.ts';
import { orEnd } from '../lib/or-end.ts';

/** `npm run demo`: the platform, the operator, the story; then it stays up, or with --once ends with the result. */
const patienceMs = 90_000;

const { values } = argumentsOf({ options: { once: { type: 'boolean' } } });
const stopped = untilStopped().then(() => 'stopped' as const);
const startedAt = Date.now();
const progress = (line: string) =>
  console.error(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}`);

const platform = await orEnd(startPlatform({ dir: null, progress, ours: true, challengeZone: serveOwnChallengeZone }));
const stage = createStage({ facts: platform.facts, kubectl: platform.kubectl, patienceMs });
progress('the platform is ready; the story begins');
const ended = await Promise.race([play(story(), stage, (line) => console.log(line)), stopped]);
if (ended !== 'stopped' && !values.once) {
  await invite(platform);
  await stopped;
}
await stage.close();
await platform.stop();
if (ended !== 'stopped' && values.once) console.log(JSON.stringify(ended));
process.exit(ended === 'stopped' || ended.ok ? 0 : 1);

async function invite({ facts }: Platform): Promise<void> {
  const hostname = 'www.example.com';
  const key = await createKey('acme', facts.kubeconfig);
  console.log(`
The platform stays up until Ctrl-C.

The customer's dashboard: ${facts.apiUrl}/dashboard
sign in with the key:     ${key}

Or try:

  export KUBECONFIG=${facts.kubeconfig}
  alias kubectl=${facts.kubectl}
  kubectl get projectdomains -A
  kubectl get hostnameclaims
  kubectl describe projectdomain ${hostname} -n acme
  curl --cacert ${facts.acmeRoot} --resolve ${hostname}:443:${facts.ingressAddress} https://${hostname}/
  curl -X PUT --data-binary 'www CNAME p-something.${facts.cnameDomain}.' ${facts.dnsControl}/zones/example.net
  npx projectdomain check ${hostname} --target TARGET --roots ${facts.dnsServer}
`);
}
