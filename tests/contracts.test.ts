import { describe, it } from 'vitest'
import { cliAgent } from '../src/contracts/cli-agent/contract.ts'
import { sage } from '../src/contracts/sage/contract.ts'
import { toolwright } from '../src/contracts/toolwright/contract.ts'
import { checkContract } from '../src/testing/check-contract.ts'

for (const contract of [toolwright, sage, cliAgent]) checkContract(contract, { describe, it })
