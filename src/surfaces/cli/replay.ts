import { readFileSync } from 'node:fs'
import { unifiedDiff } from '../../machine/workspace/diff/diff.ts'
import { ToolError } from '../../kernel/error.ts'
import { sanitize, sanitizeBlock } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { firstDifference } from '../../runtime/recording/first-difference.ts'
import { readRecording, type Recording } from '../../runtime/recording/read-recording.ts'
import { replay as replayCalls, type Replayed } from '../../runtime/recording/replay.ts'
import { loadContract } from '../../toolkit.ts'
import { painter, say, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'
import { countOf } from '../../guards/approval/card.ts'
import type { RunDifference } from '../agent/replay-run.ts'
import { workspaceOf } from './find-workspace.ts'
import { OWN_OPTIONS } from './own-options.ts'
import { inSession } from './session.ts'

/** `toolwright replay`: runs recorded calls again with the engines' recorded results, and shows differences. */
export async function replay(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('replay', args, OWN_OPTIONS.replay)
  const [path] = positionals
  if (path === undefined || positionals.length > 1) throw new UsageError('Give the file of one recording', 'replay')
  const recording = readRecording(readText(path))
  if (values['live-tools']) return await replayLiveTools(recording, values, terminal)
  const calls: Replayed[] = []
  for await (const replayedCall of replayCalls(recording, loadContract)) calls.push(replayedCall)
  const runs = await sealedRuns(recording)
  const summary = { ...summarize(calls, recording, terminal.version), runs: runs.length, firstRun: runs.find(Boolean) }
  if (values.json) say(terminal, jsonLine(asJson(summary)))
  else show(terminal, summary)
  return isEqual(summary) ? EXIT.ok : EXIT.failed
}

interface Summary {
  readonly calls: number
  readonly equal: number
  readonly different: number
  readonly leftOut: readonly Replayed[]
  /** Lines changed since the recording. */
  readonly changed: readonly number[]
  readonly notices: readonly string[]
  readonly first: Replayed | undefined
  /** Runs of an agent. */
  readonly runs: number
  readonly firstRun: RunDifference | undefined
}

const isEqual = ({ first, firstRun, changed }: Summary): boolean =>
  first === undefined && firstRun === undefined && changed.length === 0

function summarize(
  calls: readonly Replayed[],
  { madeBy, changed }: Recording,
  version: string,
): Omit<Summary, 'runs' | 'firstRun'> {
  const different = calls.filter(({ difference }) => difference)
  const leftOut = calls.filter(call => call.leftOut !== undefined)
  const others = madeBy.filter(other => other !== version)
  const versions = new Map(calls.flatMap(({ tool, versions: found }) => (found ? [[tool, found] as const] : [])))
  return {
    calls: calls.length,
    equal: calls.length - different.length - leftOut.length,
    different: different.length,
    leftOut,
    changed,
    notices: [
      ...(others.length > 0 ? [`It was recorded with toolwright ${others.join(', ')}; this is ${version}`] : []),
      ...[...versions].map(
        ([tool, { recorded = 'none', now = 'none' }]) =>
          `${tool} was recorded in version ${recorded}; here it is ${now}`,
      ),
    ],
    first: different[0],
  }
}

function asJson(whole: Summary): object {
  const { first, firstRun, leftOut, runs, ...summary } = whole
  const { line, tool, difference } = first ?? {}
  return {
    ok: isEqual(whole),
    ...summary,
    leftOut: leftOut.map(({ line: at, tool: of, leftOut: why }) => ({ line: at, tool: of, why })),
    ...(runs > 0 && { runs }),
    ...(firstRun && { firstRun: runJson(firstRun) }),
    ...(difference && {
      first: { line, tool, where: difference.where, ...firstDifference(difference.recorded, difference.now) },
    }),
  }
}

function show(terminal: Terminal, summary: Summary): void {
  const { calls, equal, different, leftOut, changed, notices, first, runs, firstRun } = summary
  const paint = painter(terminal)
  const mark = isEqual(summary) ? paint('green', '✓') : paint('red', '✗')
  const parts = [
    `${equal} equal`,
    ...(different > 0 ? [`${different} different`] : []),
    ...(leftOut.length > 0 ? [`${leftOut.length} left out`] : []),
  ]
  say(
    terminal,
    `${mark} ${calls} ${calls === 1 ? 'call' : 'calls'} replayed without touching anything: ${parts.join(', ')}`,
  )
  say(terminal, paint('dim', '  Compared: the answer, the journal record, and the requests to the engines'))
  if (changed.length > 0) say(terminal, paint('red', `  Changed since it was recorded: line ${listLines(changed)}`))
  for (const notice of notices) say(terminal, paint('yellow', `  ${sanitize(notice)}`))
  for (const { line, tool, leftOut: why = '' } of leftOut)
    say(terminal, paint('yellow', `  Left out: line ${line}, ${sanitize(tool)}: ${sanitize(why)}`))
  if (runs > 0 && !firstRun)
    say(
      terminal,
      paint('dim', `  ${countOf(runs, 'run')} of an agent replayed with the recorded answers of its model: equal`),
    )
  if (firstRun) showRun(terminal, firstRun)
  if (first) showFirst(terminal, first)
}

const sealedRuns = async ({ runs }: Recording): Promise<readonly (RunDifference | undefined)[]> =>
  runs.length === 0 ? [] : Promise.all(runs.map((await import('../agent/replay-run.ts')).replaySealed))

const runJson = ({ line, tool, where, recorded, now }: RunDifference): object => ({
  line,
  tool,
  where,
  ...firstDifference(recorded, now),
})

const WHERE_IN_RUN: Readonly<Record<RunDifference['where'], string>> = {
  answer: 'what the call answers differs',
  conversation: 'what the model is asked differs',
  end: 'how the run ends differs',
}

/** Shows the first difference of a run, with the nearest recorded call. */
function showRun(terminal: Terminal, { line, tool, where, recorded, now }: RunDifference): void {
  const paint = painter(terminal)
  const { at, ...sides } = firstDifference(recorded, now)
  say(
    terminal,
    `\n${paint('bold', `First difference: line ${line}, ${sanitize(tool, { max: 300 })}`)}: ${WHERE_IN_RUN[where]}`,
  )
  if (at !== '') say(terminal, `  at ${sanitize(at, { max: 300 })}`)
  say(terminal, paint('red', `  - ${formatValue(sides.recorded)}`))
  say(terminal, paint('green', `  + ${formatValue(sides.now)}`))
}

/** Runs the recorded runs again in this workspace: recorded answers of the model, real calls. */
async function replayLiveTools(
  { runs }: Recording,
  values: ReturnType<typeof parse<typeof OWN_OPTIONS.replay>>['values'],
  terminal: Terminal,
): Promise<number> {
  const [first, ...more] = runs
  if (!first || more.length > 0)
    throw new UsageError(`--live-tools takes a recording of one run; this one has ${runs.length}`, 'replay')
  const { replayLive } = await import('../agent/replay-run.ts')
  const root = workspaceOf(terminal, values)
  return inSession({ root, values }, terminal, async kit => {
    const difference = await replayLive(first, kit, {
      session: { ...(values.allow && { permissions: values.allow }), ...(values.deny && { denials: values.deny }) },
      ...(values.yes && { approve: () => ({ answer: 'yes', by: '--yes' }) }),
    })
    if (values.json) say(terminal, jsonLine({ ok: !difference, ...(difference && { firstRun: runJson(difference) }) }))
    else if (difference) showRun(terminal, difference)
    else say(terminal, `${painter(terminal)('green', '✓')} The run came out as recorded, with real calls`)
    return difference ? EXIT.failed : EXIT.ok
  })
}

const SHOWN = 20
const listLines = (lines: readonly number[]): string =>
  lines.slice(0, SHOWN).join(', ') + (lines.length > SHOWN ? ` and ${lines.length - SHOWN} more` : '')

const WHERE = {
  answer: 'its answer differs',
  record: 'its journal record differs',
  request: 'its requests to the engines differ',
}

function showFirst(terminal: Terminal, { line, tool, difference }: Replayed): void {
  if (!difference) return
  const paint = painter(terminal)
  const { where, recorded, now } = difference
  const { at, ...sides } = firstDifference(recorded, now)
  say(terminal, `\n${paint('bold', `First difference: line ${line}, ${sanitize(tool)}`)}: ${WHERE[where]}`)
  say(terminal, `  at ${sanitize(at === '' ? where : `${where}.${at}`, { max: 300 })}`)
  say(terminal, paint('red', `  - ${formatValue(sides.recorded)}`))
  say(terminal, paint('green', `  + ${formatValue(sides.now)}`))
  say(terminal, `\n${sanitizeBlock(diffOf(where, recorded, now), { max: 300 }).trimEnd()}`)
}

const formatValue = (value: unknown): string =>
  value === undefined ? '(nothing)' : sanitize(JSON.stringify(value), { max: 300 })

/** Compares both sides as indented JSON, line by line: - is the recording, + is now. */
function diffOf(name: string, recorded: unknown, now: unknown): string {
  const side = (value: unknown) => ({ bytes: Buffer.from(`${JSON.stringify(value, null, 2) ?? ''}\n`), mode: 0o644 })
  const diff = unifiedDiff({ path: name, before: side(recorded), after: side(now) })
  return diff.slice(diff.indexOf('@@'))
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ToolError('invalid_input', `The recording '${path}' cannot be read`, {
      hint: cause instanceof Error ? cause.message : String(cause),
      cause,
    })
  }
}
