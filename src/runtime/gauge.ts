import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';

export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly values: () => ReadonlyMap<string, number>;
}

/** A gauge whose values are read when metrics are asked for. */
export function gauge(registers: Registry[], { name, help, label, values }: GaugeSource): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers,
    collect() {
      this.reset();
      values().forEach((value, key) => this.set({ [label]: key }, value));
    },
  });
}
