import type { Action } from '../kernel/claim.ts'
import { LOAD_MS } from '../guards/judgement.ts'

export const ACTIONS = ['read', 'create', 'write', 'exec', 'net', 'reveal'] as const satisfies readonly Action[]

/** Defaults for everything but the verdicts, which are in policy. */
export const DEFAULTS = {
  answerBytes: 262_144,
  loadMs: LOAD_MS,
  expireDays: 90,
  notifySeconds: 30,
  stateBytes: 2_000_000_000,
  stateDays: 90,
  effects: { mode: 'quick', deadlineMs: 50, refuse: 'nothing' },
  memory: { hints: true, hintMs: 150 },
  resident: { idleMinutes: 10, memoryMB: 1024 },
  commands: {
    timeoutMs: 120_000,
    cpuSeconds: 600,
    memoryBytes: 4 * 1024 ** 3,
    processes: 512,
    fileBytes: 2 * 1024 ** 3,
    outputBytes: 64 * 1024 ** 2,
    tmpBytes: 1024 ** 3,
    writtenBytes: 8 * 1024 ** 3,
  },
} as const
