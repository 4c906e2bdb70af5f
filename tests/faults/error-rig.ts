import { ToolError } from '../../src/kernel/error.ts'
import type { Sys } from '../../src/machine/workspace/sys.ts'
import { inWorld, judge, recoverWhole, runCommit, type Protocol, type Report } from './crash-rig.ts'
import { changesDisk, Crash, faulty, systemError, unsynced, type Call, type Faulty } from './faulty-sys.ts'
import type { Moments } from './moments.ts'
import type { Scenario } from './scenario.ts'

export interface Fault {
  readonly errno: string
  /** Once, or at every call from there on that changes the disk (a disk that stays full). */
  readonly lasting: boolean
}

/** Reports whether a call with this error is worth a point: closing a file or reading its path never fails. */
const canFail = (call: Call): boolean => call !== 'close' && call !== 'whereIs' && call !== 'fstat'

/** Fails each call of the commit with an error. */
export function errorPoints(
  protocol: Protocol,
  scenario: Scenario,
  fault: Fault,
  { stride, first = 0 }: Moments,
): Report {
  return inWorld(scenario, (world, fail) => {
    let count = 0
    for (let at = first; ; at += stride) {
      world.reset(scenario.before)
      const run = failing(at, fault)
      const error = runCommit(protocol, scenario, world, run.sys)
      run.drop()
      if (run.failed === undefined) return count
      count++
      const where = `${fault.errno} at ${at} (${run.failed})`
      if (error !== undefined && !(error instanceof ToolError && error.code === 'io'))
        fail(`${where}: threw ${String(error)}`)
      // Taken back at once, unless the way back was barred, too: then the next recovery does it.
      if (error !== undefined && !fault.lasting && !run.inRollBack)
        judge(world, scenario, false, problem => fail(`${where}, not recovered: ${problem}`))
      recoverWhole(protocol, world)
      const { decided, aborted } = run.marks
      if (error === undefined && !decided) fail(`${where}: answered without an intent`)
      judge(world, scenario, decided && !aborted, problem => fail(`${where}: ${problem}`))
    }
  })
}

/** Fails each call of the commit, and dies at each call after that, in the roll-back. */
export function errorThenCrash(
  protocol: Protocol,
  scenario: Scenario,
  errno: string,
  stride: number,
  then: number,
): Report {
  return inWorld(scenario, (world, fail) => {
    let count = 0
    for (let at = 0; ; at += stride)
      for (let after = at % then; ; after += then) {
        world.reset(scenario.before)
        const run = failing(at, { errno, lasting: false }, after)
        const error = runCommit(protocol, scenario, world, run.sys)
        run.drop()
        if (run.failed === undefined) return count
        recoverWhole(protocol, world)
        const { decided, aborted } = run.marks
        judge(world, scenario, decided && !aborted, problem =>
          fail(`${errno} at ${at} (${run.failed}), died ${after} calls later: ${problem}`),
        )
        if (!(error instanceof Crash)) break
        count++
      }
  })
}

/** Dies at each call of the commit; the recovery from it meets an error at each of its calls, and is tried again. */
export function errorInRecovery(
  protocol: Protocol,
  scenario: Scenario,
  errno: string,
  stride: number,
  then: number,
): Report {
  return inWorld(scenario, (world, fail) => {
    let count = 0
    for (let at = 0; ; at += stride)
      for (let after = at % then; ; after += then) {
        world.reset(scenario.before)
        const dying = failing(at, { errno, lasting: false }, -1)
        runCommit(protocol, scenario, world, dying.sys)
        dying.drop()
        if (dying.failed === undefined) return count
        const run = failing(after, { errno, lasting: false })
        const opened = world.open(unsynced)
        try {
          protocol.recover(opened.root, opened.store, run.sys)
        } catch (error) {
          if (!(error instanceof ToolError && error.code === 'io')) fail(`recovery threw ${String(error)}`)
        } finally {
          run.drop()
          opened.close()
        }
        recoverWhole(protocol, world)
        judge(world, scenario, dying.marks.decided, problem =>
          fail(`died at ${at}, ${errno} at ${after} of the recovery (${run.failed}): ${problem}`),
        )
        if (run.failed === undefined) break
        count++
      }
  })
}

interface Failing extends Faulty {
  /** The call that failed; undefined if there are not so many. */
  failed: Call | undefined
  inRollBack: boolean
}

/** `dieAfter`: so many calls after the error the process dies; -1 means instead of it. */
function failing(at: number, { errno, lasting }: Fault, dieAfter?: number, below: Sys = unsynced): Failing {
  let counted = 0
  let since = -1
  const made: Failing = {
    ...faulty((_, call) => {
      if (since >= 0 && dieAfter !== undefined && since++ >= dieAfter) throw new Crash('died')
      if (since >= 0 && lasting && changesDisk(call) && call !== 'unlink' && call !== 'rmdir') throw systemError(errno)
      if (since >= 0 || !canFail(call) || counted++ !== at) return
      since = 0
      made.failed = call
      made.inRollBack = made.marks.aborted || made.marks.sealed
      if (dieAfter === -1) throw new Crash('died')
      throw systemError(errno)
    }, below),
    failed: undefined,
    inRollBack: false,
  }
  return made
}
