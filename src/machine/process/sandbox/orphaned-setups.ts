import { readdirSync, readFileSync } from 'node:fs'
import { statOf } from './tree-facts.ts'

/** No-op options of bubblewrap that identify our sandboxes. */
export const SETUP_MARK: readonly string[] = ['--unsetenv', 'TOOLWRIGHT_SANDBOX']

/**
 * Ends sandboxes whose setup was abandoned. bubblewrap's child waits for its parent before it binds its life to it. If
 * the parent is killed together with us at that moment, the child waits for ever.
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
      // Gone, or another user's.
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
