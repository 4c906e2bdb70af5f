import { toolwright } from '../../src/contracts/toolwright/contract.ts'
import { check } from './check.ts'

check(toolwright)
