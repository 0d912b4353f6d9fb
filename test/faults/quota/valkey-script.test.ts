import { startValkey } from '../../support/redis.ts';
import { describeQuotaScript } from '../../support/quota-script-contract.ts';

describeQuotaScript(startValkey);
