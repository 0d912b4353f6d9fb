import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { reachPods } from '../../dev/platform/pods.ts';
import { startRestartable } from '../../dev/platform/process.ts';
import type { Around, Edge } from '../../dev/platform/services.ts';
import {
  canConnect,
  createIngressClass,
  ingressClass,
  startedEdge,
  startTraefik,
} from '../../dev/platform/services.ts';

/** An ingress controller that redirects visitors from http to https. */
export interface RedirectingController {
  readonly name: string;
  /** as the chart calls it */
  readonly controller: string;
  readonly start: Edge['start'];
}

const traefik: RedirectingController = {
  name: 'Traefik, whose entry point redirects every path',
  controller: 'Traefik',
  start: (around) =>
    startTraefik(around, [
      '--entrypoints.web.http.redirections.entrypoint.to=websecure',
      '--entrypoints.web.http.redirections.entrypoint.scheme=https',
      '--entrypoints.web.http.redirections.entrypoint.permanent=true',
    ]),
};

const programs = { controller: 'haproxy-ingress-controller', haproxy: 'haproxy' } as const;

/** Where PROJECTDOMAIN_TOOLS has both; null elsewhere, as no build of ours brings the controller. */
function haproxyPrograms(): Readonly<Record<keyof typeof programs, string>> | null {
  const folder = process.env.PROJECTDOMAIN_TOOLS ?? '';
  const [controller, haproxy] = [join(folder, programs.controller), join(folder, programs.haproxy)];
  return existsSync(controller) && existsSync(haproxy) ? { controller, haproxy } : null;
}

const settings = { name: 'haproxy-kubernetes-ingress', namespace: 'default' } as const;

/** HAProxy Technologies' controller: it redirects each hostname that has a certificate, and sends to Pods themselves. Root needed. */
async function startHaproxy(around: Around, { controller, haproxy }: NonNullable<ReturnType<typeof haproxyPrograms>>) {
  const { dir, corner, kubeconfig, kubectl } = around;
  await createIngressClass(kubectl, `haproxy.org/ingress-controller/${ingressClass}`);
  await kubectl.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: settings,
    // A redirect names port 8443 unless it is told otherwise.
    data: { 'ssl-redirect-port': '443' },
  });
  const folders = ['etc', 'run'].map((name) => join(dir, 'haproxy', name));
  folders.forEach((folder) => mkdirSync(folder, { recursive: true }));
  const [etc, run] = folders;
  const leavePods = await reachPods(around);
  const part = await startRestartable({
    name: 'haproxy-ingress-controller',
    program: controller,
    dir,
    args: [
      '--external',
      `--kubeconfig=${kubeconfig}`,
      `--program=${haproxy}`,
      `--config-dir=${etc}`,
      `--runtime-dir=${run}`,
      `--ingress.class=${ingressClass}`,
      `--configmap=${settings.namespace}/${settings.name}`,
      `--ipv4-bind-address=${corner.address}`,
      '--http-bind-port=80',
      '--https-bind-port=443',
      '--disable-ipv6',
      '--disable-quic',
      '--sync-period=500ms',
    ],
    ready: () => canConnect(corner.address, 80),
  });
  return startedEdge([part], leavePods);
}

/** Every controller that can be had here. */
export function redirectingControllers(): readonly RedirectingController[] {
  const found = haproxyPrograms();
  if (found === null) return [traefik];
  return [
    traefik,
    {
      name: 'HAProxy, which redirects hostnames with a certificate',
      controller: 'HAProxy',
      start: (around) => startHaproxy(around, found),
    },
  ];
}
