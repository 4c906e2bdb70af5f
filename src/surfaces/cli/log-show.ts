import type { JournalRecord } from '../../machine/journal/chain.ts'
import { isCall, type CallRecord } from '../../machine/journal/record.ts'
import { newestFirst } from '../../machine/journal/segments.ts'
import { commitDiff } from '../../machine/workspace/commit/commit-diff.ts'
import { undoneCommits } from '../../machine/workspace/commit/list-undo.ts'
import { ToolError } from '../../kernel/error.ts'
import { sanitize, sanitizeBlock } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { openToolkit, type Toolkit } from '../../toolkit.ts'
import { answerLines } from '../render/answer.ts'
import { diffLines } from '../render/diff.ts'
import { diagnosticLines } from '../render/effects-lines.ts'
import type { Style } from '../render/paint.ts'
import { isFailedCall } from './failed-call.ts'
import { verdictOf } from './log-filter.ts'
import { callName, changeVerb, shownTime } from './log-line.ts'
import { sayPaged } from './pager.ts'
import { recordedValue, shownRecord } from './shown-record.ts'
import { painter, say, type Terminal } from './terminal.ts'
import { configurationOf, EXIT } from './usage.ts'

type Call = JournalRecord & CallRecord & { readonly withheld?: string }

/** `toolwright log show ID`: shows everything recorded about one call. */
export async function logShow(
  callId: string,
  values: Parameters<typeof configurationOf>[0] & { readonly root: string; readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const kit = await openToolkit({ root: values.root, env: terminal.env, isBrief: true, ...configurationOf(values) })
  try {
    const call = await shownRecord(kit, callNamed(kit, callId))
    if (values.json) say(terminal, jsonLine(call))
    else sayPaged(terminal, (await callLines(kit, call, { paint: painter(terminal) })).join('\n'))
    return EXIT.ok
  } finally {
    await kit.close()
  }
}

/** Finds a call by its id, by the id that `undo` takes, or by the number of its record. */
export function callNamed({ state }: Toolkit, callId: string): Call {
  for (const record of newestFirst(state.journal))
    if (isCall(record) && [record.id, record.undo, String(record.seq)].includes(callId)) return record
  throw new ToolError('not_found', `The journal has no call ${JSON.stringify(callId)}`, {
    hint: "Give the id that 'toolwright log' shows at the end of a line",
  })
}

async function callLines(kit: Toolkit, call: Call, style: Style): Promise<string[]> {
  const { paint } = style
  const title = `${isFailedCall(call) ? paint('red', '✗') : paint('green', '✓')} ${callName(call)}`
  const facts = factsOf(kit, call).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name}: ${sanitize(value)}`],
  )
  const { introduced: total = 0, errors } = call.effects ?? {}
  const diff = await callDiff(kit, call)
  const input = await recordedValue(kit, call.input, call.inputRef)
  const output = await recordedValue(kit, call.output, call.outputRef)
  const printedText = await recordedValue(kit, call.printed, call.printedRef)
  return [
    title,
    ...facts,
    ...section('Withheld', call.withheld === undefined ? [] : [sanitize(call.withheld)], style),
    ...section('New errors', errors ? diagnosticLines({ total, first: errors }) : [], style),
    ...section('Input', sanitizeBlock(JSON.stringify(input, null, 2) ?? '').split('\n'), style),
    ...section('Diff', typeof diff === 'string' ? diffLines(diff, style) : diff.lines, style),
    ...section('Output', await answerLines(output, style), style),
    ...section('Printed', await answerLines(printedText, style), style),
  ]
}

const section = (title: string, lines: readonly string[], { paint }: Style): string[] =>
  lines.join('') === '' ? [] : ['', paint('bold', `${title}:`), ...lines]

function factsOf(kit: Toolkit, call: Call): (readonly [string, string | undefined])[] {
  const { approval, undo } = call
  const by = undo === undefined ? undefined : undoneCommits(kit.workspace.store).get(undo)
  const undone = by === undefined ? undo && `toolwright undo ${undo}` : `already undone by ${by}`
  const { effects } = call
  return [
    ['Id', `${call.id} (record ${call.seq})`],
    ['Time', `${shownTime(call.startedAt)}, ${Math.round(call.durationMs)} ms`],
    ['Task', call.task],
    ['Session', call.session],
    ['Claims', call.claims.map(({ action, resource }) => `${action} ${resource}`).join(', ') || undefined],
    ['Decided', decidedWords(call)],
    [
      'Approved',
      approval &&
        `${approval.answer} by ${approval.by}, ${shownTime(approval.at)}${approval.rule ? `, rule ${approval.rule}` : ''}`,
    ],
    ['Failed', call.ok ? undefined : `${call.code}: ${call.message ?? ''}`],
    [changeVerb(call).replace(/^./, first => first.toUpperCase()), call.changed.join(', ') || undefined],
    ['Effects', effects && effectsWords(effects)],
    ['Warnings', call.warnings?.join('; ')],
    ['Exit code', call.exitCode === undefined ? undefined : String(call.exitCode)],
    ['Signal', call.signal],
    ['Sandbox', call.sandbox],
    ['Network', call.net?.map(({ origin, allowed }) => `${origin} ${allowed ? 'allowed' : 'refused'}`).join(', ')],
    ['Transaction', call.transaction],
    ['Plan', call.plan],
    ['Undo', undone],
  ]
}

const effectsWords = ({ introduced, cured, complete }: NonNullable<Call['effects']>): string =>
  `${introduced} new ${introduced === 1 ? 'error' : 'errors'}, ${cured} gone${complete ? '' : ', not complete'}`

function decidedWords(call: Call): string | undefined {
  const { verdict, approval } = call
  const finalVerdict = verdictOf(call)
  if (finalVerdict === undefined) return undefined
  if (finalVerdict !== verdict?.verdict)
    return `${finalVerdict}, ${approval ? `allowed by ${approval.by}` : 'not allowed'}: what it would change became known while it ran`
  return `${finalVerdict}${verdict.rule ? ` by ${verdict.rule}` : ''}${verdict.why ? `: ${verdict.why}` : ''}`
}

/** Returns the diff of the applied changes, or the reason why there is none. */
export async function callDiff(
  kit: Toolkit,
  { undo }: Pick<Call, 'undo'>,
): Promise<string | { readonly lines: readonly string[] }> {
  if (undo === undefined) return { lines: [] }
  const mayShow = (path: string): boolean => {
    const { verdict, error } = kit.check('read', { path })
    return verdict !== 'deny' && error === undefined
  }
  try {
    return commitDiff(kit.workspace.root, kit.workspace.store, undo, { mayShow, conceal: await kit.concealer() })
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const by = undoneCommits(kit.workspace.store).get(undo)
    const why = by === undefined ? sanitize(error.message) : `it was undone by ${by}, and its files were changed since`
    return { lines: [`(no longer known: ${why})`] }
  }
}
