import { startRedis } from '../../support/redis.ts';
import { describeQuotaScript } from '../../support/quota-script-contract.ts';

describeQuotaScript(() => startRedis());
