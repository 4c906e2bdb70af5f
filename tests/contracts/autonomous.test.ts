import { autonomous } from '../../src/contracts/autonomous/contract.ts'
import { check } from './check.ts'

check(autonomous)
