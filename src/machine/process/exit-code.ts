import { constants } from 'node:os'
import type { Exit } from './sandbox/types.ts'

/** How a command ended, as a shell gives it: 128 and the number of the signal where one ended it. */
export function exitCodeOf({ code, signal }: Pick<Exit, 'code' | 'signal'>): number {
  if (code !== null) return code
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1]
  return 128 + (number ?? 0)
}
