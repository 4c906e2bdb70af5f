import { sage } from '../../src/contracts/sage/contract.ts'
import { check } from './check.ts'

check(sage)
