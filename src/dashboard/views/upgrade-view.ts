import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { outside } from './components.ts';

/** What a plan without custom domains cannot do, why, and what goes on. */
export const withoutDomains = (address: string | null): Html =>
  html`<p>
      <strong>Why:</strong> every domain of your own is checked in DNS, given a certificate and renewed for as long as
      you use it. That is part of the plans Pro, Business and Enterprise.
    </p>
    <p>
      <strong>What goes on:</strong> your project stays online at its platform
      address${address === null ? '' : html` ${outside(address)}`}, with HTTPS.
    </p>
    <p>
      <strong>What you can do:</strong> ask the platform for an upgrade, where you manage your subscription or through
      its support. Nothing has to be set up again: a domain can be added here the moment the plan changes.
    </p>`;
