import type { CallContext } from '../../kernel/tool.ts'
import { claimedInput, claimedLine, type CommandParts, type CommandPlace } from './command-place.ts'
import type { Done } from './run.ts'
import { withPrinted } from './run-error.ts'
import type { Around } from '../workspace/land.ts'
import type { ProcessEngine, RunSpec } from './types.ts'

export interface OpenProcess {
  readonly engine: ProcessEngine
  /** Lands what commands did in the repository together with what is staged; undefined if they did nothing there. */
  around(): Around | undefined
  /** Reports whether anything that is not staged changes when this lands. */
  landsUnstaged(): boolean
  /** Carries out what commands did and is not staged; says what never lands and what could not be done. */
  finish(): readonly string[]
  /** Says what never lands, and what would that is not staged. */
  foretell(): readonly string[]
  /** What lands without being staged, as a plan names it. */
  unstaged(): Promise<readonly unknown[]>
  /** Keeps what the commands did under the name of the plan that lands it; says whether it could. */
  keep(plan: string): Promise<boolean>
  close(): Promise<void>
}

/** Commands for one call. What they change is staged; what git ignores is remembered until the call commits. */
export function openProcess(parts: CommandParts, place: CommandPlace): OpenProcess {
  const done: Done[] = []
  const running = new Set<Promise<unknown>>()
  const { background } = parts
  let left: readonly string[] = []
  let isLanded = false
  const about = <T>(handle: string, state: T): T => {
    left = background.warnings(handle)
    return state
  }
  return {
    engine: {
      async run(spec, call) {
        // Asked for now, or a call that is given up while this loads would go on unnoticed.
        const { signal } = call
        signal.throwIfAborted()
        // Few calls run commands, and what runs them takes longer to load than most calls take.
        const { runCommand } = await import('./run.ts')
        const work = place.plan === undefined ? runCommand(parts, place, spec, call) : planned(place.plan, spec, call)
        running.add(work)
        try {
          const result = await work
          done.push(result)
          return result.ran
        } finally {
          running.delete(work)
        }
      },
      async start(spec, call) {
        const { startCommand } = await import('./start.ts')
        return startCommand(parts, place, spec, call)
      },
      poll: handle => about(handle, background.poll(handle)),
      read: (handle, since) => about(handle, background.read(handle, since)),
      write(handle, input) {
        claimedInput(background.poll(handle).command, place.claims)
        place.begin({ durable: true, direct: true })
        return about(handle, background.write(handle, input))
      },
      stop: async handle => about(handle, await background.stop(handle)),
    },
    around() {
      const changing = done.filter(({ overlay }) => overlay?.changesRepository())
      const since = changing[0]?.overlay?.begun
      if (since === undefined) return undefined
      return {
        since: Number(since / 1_000_000n),
        land: commit => changing.reduceRight((inner, one) => () => landingOf(one, inner), commit)(),
      }
    },
    landsUnstaged: () => done.some(({ overlay }) => overlay?.landsUnstaged()),
    finish() {
      isLanded = true
      return [...left, ...done.flatMap(({ overlay, warnings }) => [...warnings, ...(overlay?.apply() ?? [])])]
    },
    foretell: () => [
      ...left,
      ...done.flatMap(({ overlay, warnings }) => [...warnings, ...(overlay?.foretell() ?? [])]),
    ],
    async unstaged() {
      if (done.every(({ overlay }) => overlay === undefined)) return []
      const { changeFacts } = await import('./overlay/change-facts.ts')
      return done.flatMap(({ overlay }) => overlay?.unstaged().map(changeFacts) ?? [])
    },
    async keep(plan) {
      if (place.plan !== undefined) return true
      if (done.length === 0) return false
      const { storeResults } = await import('./stored-results.ts')
      return storeResults((await parts.ready()).scratch, place.root.path, plan, done)
    },
    async close() {
      // One that was given up is ending; what was made for it goes when it is gone.
      await Promise.allSettled(running)
      for (const { overlay } of done) overlay?.discard()
      if (place.plan === undefined || !isLanded) return
      const { forgetResult } = await import('./stored-results.ts')
      forgetResult((await parts.ready()).scratch, place.root.path, place.plan)
    },
  }

  /** What the command did when the plan was made: it is not run again. */
  async function planned(plan: string, spec: RunSpec, call: CallContext): Promise<Done> {
    const line = claimedLine(spec, place.claims)
    const { storedResult } = await import('./stored-results.ts')
    const result = storedResult(parts, place, (await parts.ready()).scratch, plan, { line, at: done.length })
    const { exitCode, stdout, stderr } = result.ran
    call.note?.({ exitCode, printed: { stdout, stderr } })
    return result
  }
}

function landingOf<T>({ overlay, ran }: Done, land: () => T): T {
  try {
    return overlay ? overlay.landing(land) : land()
  } catch (error) {
    throw withPrinted(error, ran)
  }
}
