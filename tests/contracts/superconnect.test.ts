import { superconnect } from '../../src/contracts/superconnect/contract.ts'
import { check } from './check.ts'

check(superconnect)
