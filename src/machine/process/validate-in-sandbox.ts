import { environmentOf } from './environment.ts'
import { exitCodeOf } from './exit-code.ts'
import type { StartRules } from '../../kernel/start-rules.ts'
import { guardStarts, refusalWarnings } from './guard-starts.ts'
import { shownOutput, storeOutput } from './output.ts'
import { noSandbox } from './run-error.ts'
import type { CommandParts } from './command-place.ts'
import { openOverlay } from './overlay/open-overlay.ts'
import type { Validated, Validator } from '../workspace/validators.ts'
import type { Root } from '../workspace/root.ts'
import type { Staging } from '../workspace/staging.ts'

const HALF = 16 * 1024

/** Runs all validators on the resulting tree, without network, and discards what they write. */
export async function validateInSandbox(
  parts: CommandParts,
  root: Root,
  staging: Staging,
  { validators, starts }: { readonly validators: readonly Validator[]; readonly starts?: StartRules | undefined },
): Promise<Validated[]> {
  const { sandbox, report, scratch } = await parts.ready()
  if (!report.usable) throw noSandbox(report)
  const overlay = openOverlay(root, staging, {
    scratch,
    overlay: report.overlay,
    hides: undefined,
    memory: new Map(),
    mustStage: () => false,
    keepsRepository: () => false,
    env: parts.env,
  })
  try {
    const results: Validated[] = []
    for (const validator of validators) results.push(await runOne(validator))
    return results
  } finally {
    overlay.discard()
  }

  async function runOne({ name, command, timeoutMs }: Validator): Promise<Validated> {
    const since = performance.now()
    const { timeoutMs: _, ...limits } = parts.limits
    const guardedStarts = starts && guardStarts(starts, undefined)
    const validatorProcess = sandbox.start({
      ...(guardedStarts && { starts: guardedStarts.guard }),
      root: root.path,
      argv: command,
      cwd: '.',
      env: environmentOf({ root: root.path, ...parts, given: {} }),
      fixed: parts.fixed,
      tree: overlay.tree,
      readOnly: overlay.readOnly,
      hidden: [],
      network: undefined,
      limits: { ...limits, wallMs: timeoutMs, cpuSeconds: Math.max(limits.cpuSeconds, timeoutMs / 1000) },
      stdin: 'none',
    })
    const outputStore = storeOutput()
    for (const stream of [validatorProcess.stdout, validatorProcess.stderr])
      stream.on('data', (chunk: Buffer) => {
        // More may come until it has ended.
        if (outputStore.bytes <= limits.outputBytes) outputStore.push(chunk)
        else validatorProcess.end('output')
      })
    const exit = await validatorProcess.exit
    const late =
      exit.ended === 'wall' ? `Ended after ${timeoutMs / 1000} s\n` : exit.ended ? `Ended: ${exit.ended}\n` : ''
    const refusalLines = refusalWarnings(guardedStarts?.refused ?? []).map(line => `${line}\n`)
    const missing = exit.code === 127 ? `Could not run ${command[0] ?? ''}\n` : ''
    return {
      name,
      passed: exitCodeOf(exit) === 0 && exit.ended === undefined,
      output: shownOutput(outputStore.whole(), { half: HALF }).text + refusalLines.join('') + missing + late,
      durationMs: parts.fixed ? 0 : Math.round(performance.now() - since),
    }
  }
}
