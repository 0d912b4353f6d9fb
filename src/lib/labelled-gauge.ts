import type { Registry } from '@prometheus-io/client';
import { Gauge } from '@prometheus-io/client';

/** Values by label, read when metrics are asked for; what takes long to count is counted in slices. */
export type GaugeValues = ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;

export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly values: () => GaugeValues;
}

/** A gauge whose values are read when metrics are asked for. */
export function gauge(registers: Registry[], { name, help, label, values }: GaugeSource): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers,
    async collect() {
      const read = await values();
      this.reset();
      read.forEach((value, key) => this.set({ [label]: key }, value));
    },
  });
}
