import type { Change } from '../../kernel/change.ts'
import type { Claim } from '../../kernel/claim.ts'
import type { CallContext } from '../../kernel/tool.ts'
import { claimedInput, claimedLine, ensureCanStart, type CommandParts, type CommandPlace } from './command-place.ts'
import { ensureDirect } from './direct-place.ts'
import type { Done } from './run.ts'
import { printedOf, withPrinted } from './run-error.ts'
import type { Around } from '../workspace/land.ts'
import type { ProcessEngine, RunSpec } from './types.ts'

export interface OpenProcess {
  readonly engine: ProcessEngine
  /** Throws if a claimed command cannot start, as far as that is known without running it. */
  ensureStarts(): void
  /** Lands repository changes together with the staged changes. Returns undefined if commands changed no repository. */
  around(): Around | undefined
  /** Returns content that only the repository gets, at paths that a rule or a person must judge. */
  content(): readonly Change[]
  /** Reports whether landing changes anything that is not staged. */
  landsUnstaged(): boolean
  /** Records what is not staged as landing with this commit. */
  prepare(commit: string): void
  /** Applies changes that are not staged. Returns warnings about changes that never land or that failed. */
  finish(): readonly string[]
  /** Returns warnings about changes that never land, and about unstaged changes that would. */
  previewWarnings(): readonly string[]
  /** Returns unstaged changes as a plan names them. */
  unstaged(): Promise<readonly unknown[]>
  /** Stores the result of the commands under the plan that lands it. Reports whether it could. */
  keep(plan: string): Promise<boolean>
  close(): Promise<void>
}

/** Commands for one call. Their changes are staged; changes to git-ignored paths are held until the call commits. */
export function openProcess(parts: CommandParts, place: CommandPlace): OpenProcess {
  const results: Done[] = []
  const running = new Set<Promise<unknown>>()
  const { background } = parts
  let backgroundWarnings: readonly string[] = []
  let isLanded = false
  const about = <T>(handle: string, state: T): T => {
    backgroundWarnings = background.warnings(handle)
    return state
  }
  return {
    engine: {
      async run(spec, call) {
        // Read now, so that an abort while the module loads is noticed.
        const { signal } = call
        signal.throwIfAborted()
        // Loaded on demand: few calls run commands, and this module takes longer to load than most calls take.
        const { runCommand } = await import('./run.ts')
        const work =
          place.plan === undefined ? runCommand(parts, place, spec, call) : plannedResult(place.plan, spec, call)
        running.add(work)
        try {
          const result = await work
          results.push(result)
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
      read(handle, since, call) {
        const { bytes, ...state } = background.read(handle, since)
        const ref = Buffer.from(state.output).equals(bytes) ? undefined : call.keep?.(bytes)
        if (ref !== undefined) call.warn?.(`The output is shown as plain text; its bytes are in ${ref}`)
        return about(handle, state)
      },
      write(handle, input) {
        claimedInput(background.poll(handle).command, place.claims)
        place.begin({ durable: true, direct: true })
        return about(handle, background.write(handle, input))
      },
      stop: async handle => about(handle, await background.stop(handle)),
    },
    ensureStarts() {
      ensureCanStart(place)
      // The question is about the call itself, not about the preview that it shows.
      if (place.claims.some(isAnywhere)) ensureDirect(parts, { ...place, preview: false })
    },
    around() {
      const changing = results.filter(({ overlay }) => overlay?.changesRepository())
      const since = changing[0]?.overlay?.begun
      if (since === undefined) return undefined
      return {
        since: Number(since / 1_000_000n),
        land: commit => changing.reduceRight((inner, one) => () => landingOf(one, inner), commit)(),
      }
    },
    content: () => results.flatMap(({ overlay }) => overlay?.content() ?? []),
    landsUnstaged: () => results.some(({ overlay }) => overlay?.landsUnstaged()),
    prepare(commit) {
      for (const { overlay } of results) overlay?.prepare(commit)
    },
    finish() {
      isLanded = true
      return [
        ...backgroundWarnings,
        ...results.flatMap(({ overlay, warnings }) => [...warnings, ...(overlay?.apply() ?? [])]),
      ]
    },
    previewWarnings: () => [
      ...backgroundWarnings,
      ...results.flatMap(({ overlay, warnings }) => [...warnings, ...(overlay?.previewWarnings() ?? [])]),
    ],
    async unstaged() {
      if (results.every(({ overlay }) => overlay === undefined)) return []
      const { changeFacts } = await import('./overlay/change-facts.ts')
      return results.flatMap(({ overlay }) => overlay?.unstaged().map(changeFacts) ?? [])
    },
    async keep(plan) {
      if (place.plan !== undefined) return true
      if (results.length === 0) return false
      const { storeResults } = await import('./stored-results.ts')
      return storeResults((await parts.ready()).scratch, place.root.path, plan, results)
    },
    async close() {
      // An aborted command is still ending. Its files are removed when it is gone.
      await Promise.allSettled(running)
      for (const { overlay } of results) overlay?.discard()
      if (place.plan === undefined || !isLanded) return
      const { forgetResult } = await import('./stored-results.ts')
      forgetResult((await parts.ready()).scratch, place.root.path, place.plan)
    },
  }

  /** Returns the result that the command had when the plan was made. Does not run it again. */
  async function plannedResult(plan: string, spec: RunSpec, call: CallContext): Promise<Done> {
    const line = claimedLine(spec, place.claims)
    const { storedResult } = await import('./stored-results.ts')
    const result = storedResult(parts, place, (await parts.ready()).scratch, plan, { line, at: results.length })
    call.note?.({ exitCode: result.ran.exitCode, printed: printedOf(result.ran) })
    return result
  }
}

/** A background command claims all of the workspace; a tool that finds its files claims them later. */
const isAnywhere = ({ action, resource, later }: Claim): boolean =>
  action === 'write' && resource === '**' && later !== true

function landingOf<T>({ overlay, ran }: Done, land: () => T): T {
  try {
    return overlay ? overlay.landing(land) : land()
  } catch (error) {
    throw withPrinted(error, ran)
  }
}
