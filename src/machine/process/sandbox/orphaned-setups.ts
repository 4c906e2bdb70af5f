import { readdirSync, readFileSync } from 'node:fs'
import { statOf } from './tree-facts.ts'

/** Options of bubblewrap that change nothing and tell our sandboxes from those of others. */
export const SETUP_MARK: readonly string[] = ['--unsetenv', 'TOOLWRIGHT_SANDBOX']

/**
 * Ends sandboxes that nobody can set up any more. bubblewrap's child waits for its parent before it binds its life to
 * it, so that it waits for ever where the parent was killed together with us at that moment.
 */
export function endOrphanedSetups(): void {
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || !isSetup(pid) || !isFirst(pid)) continue
    const parent = statOf(`/proc/${pid}/stat`)?.parent
    if (parent === undefined || isSetup(parent)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It is gone, or another user's.
    }
  }
}

const isSetup = (pid: number): boolean =>
  textOf(`/proc/${pid}/comm`) === 'bwrap\n' && textOf(`/proc/${pid}/cmdline`).includes(`\0${SETUP_MARK.join('\0')}\0`)

/** Reports whether it is the first process of a namespace below ours. */
const isFirst = (pid: number): boolean => /^NSpid:\t\d+(?:\t\d+)*\t1$/m.test(textOf(`/proc/${pid}/status`))

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
