import { debugAssistant } from '../../src/contracts/debug-assistant/contract.ts'
import { check } from './check.ts'

check(debugAssistant)
