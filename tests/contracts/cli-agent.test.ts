import { cliAgent } from '../../src/contracts/cli-agent/contract.ts'
import { check } from './check.ts'

check(cliAgent)
