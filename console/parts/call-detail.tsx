import { useEffect, useState } from 'preact/hooks'
import { read, wordsOf } from '../api/request.ts'
import type { CallRecord } from '../api/shapes.ts'
import { addressOf } from '../state/address.ts'
import { nameOf } from '../state/calls.ts'
import { Badge } from './badge.tsx'
import { CallActions } from './call-actions.tsx'
import { stateOf, targetOf, toolOf, personOf, reasonOf } from './call-words.tsx'
import { Diff } from './diff.tsx'
import { Empty } from './empty.tsx'
import { KeyValues, type KeyValue } from './key-values.tsx'
import { Output } from './output.tsx'
import { durationOf, exactTime } from './times.ts'
import { parseDiff } from './unified-diff.ts'
import { visibleLine } from './visible-text.ts'

interface FullCall extends CallRecord {
  readonly diff?: string
  readonly diffProblem?: string
  readonly undoneBy?: string
}

/** One call whole: what was asked, who decided, what changed, what came out. */
export function CallDetail({ id, isInPlace = false }: { readonly id: string; readonly isInPlace?: boolean }) {
  const [call, setCall] = useState<FullCall | undefined>(undefined)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    let isLeft = false
    read<FullCall>(`/v1/journal/${encodeURIComponent(id)}`).then(
      found => !isLeft && setCall(found),
      error => !isLeft && setProblem(wordsOf(error)),
    )
    return () => {
      isLeft = true
    }
  }, [id])
  if (problem !== '') return <Empty title="This call cannot be shown">{visibleLine(problem)}</Empty>
  if (!call) return <div class="call-detail" aria-busy="true" />
  const tool = toolOf(call)
  const reason = reasonOf(call.input)
  const [meaning, words] = stateOf(call)
  return (
    <section class={`call-detail ${isInPlace ? 'in-place' : 'alone'}`} aria-label={`${tool} ${targetOf(call)}`}>
      {!isInPlace && (
        <header class="detail-head">
          <a class="narrow-only back" href={addressOf('inbox')}>
            ‹ Inbox
          </a>
          <p class="detail-who">
            <Badge meaning={meaning} words={words} />
            <span class="muted">
              {visibleLine(nameOf(call))} · {exactTime(call.startedAt)}
            </span>
          </p>
          <h1 class="detail-title">
            {tool.charAt(0).toUpperCase() + tool.slice(1)} <code>{targetOf(call)}</code>
          </h1>
          {reason !== undefined && (
            <p class="detail-why">
              <q>{reason}</q>
            </p>
          )}
        </header>
      )}
      <div class="call-body">
        <div class="call-content">
          <CallContent call={call} />
        </div>
        <div class="call-facts">
          <KeyValues rows={factsOf(call)} />
          <CallActions call={call} />
        </div>
      </div>
    </section>
  )
}

function CallContent({ call }: { readonly call: FullCall }) {
  const files = parseDiff(call.diff ?? '')
  const printed = typeof call.printed === 'string' ? call.printed : undefined
  const { command: _command, path: _path, ...input } = Object(call.input)
  const inputText = Object.keys(input).length > 0 && files.length === 0 ? JSON.stringify(input, null, 2) : ''
  return (
    <>
      {!call.ok && call.message !== undefined && <p class="call-message failed">{visibleLine(call.message)}</p>}
      {call.withheld !== undefined && <p class="muted">Withheld: {visibleLine(call.withheld)}</p>}
      {call.diffProblem !== undefined && <p class="muted">{visibleLine(call.diffProblem)}</p>}
      {files.map(({ path, hunks, notes }) => (
        <section key={path} class="card" aria-label={visibleLine(path)}>
          <header>
            <code>{visibleLine(path)}</code> <span class="muted">{notes.join(', ')}</span>
          </header>
          {hunks.map((hunk, at) => (
            <Diff key={at} path={path} hunk={hunk} />
          ))}
        </section>
      ))}
      {inputText !== '' && <Output title="Arguments" text={inputText} />}
      {printed !== undefined && printed !== '' && <Output title="Output" text={printed} />}
      {printed === undefined && call.output !== undefined && files.length === 0 && (
        <Output title="Output" text={outputText(call.output)} />
      )}
    </>
  )
}

/** The text that an answer carries, if that is what it is; else all of it. */
function outputText(output: unknown): string {
  if (typeof output === 'string') return output
  const { content, stdout, stderr, text } = Object(output)
  const parts = [content, text, stdout, stderr].filter(each => typeof each === 'string' && each !== '')
  return parts.length > 0 ? parts.join('\n') : (JSON.stringify(output, null, 2) ?? '')
}

const factsOf = (call: FullCall): readonly KeyValue[] => [
  ['decided', decidedWords(call)],
  ['claims', visibleLine((call.claims ?? []).map(({ action, resource }) => `${action} ${resource || '.'}`).join(', '))],
  ['sandbox', visibleLine(call.sandbox ?? '')],
  [
    'network',
    visibleLine(
      (call.net ?? []).map(({ origin, allowed }) => `${origin} ${allowed ? 'allowed' : 'refused'}`).join(', '),
    ),
  ],
  ['changed', visibleLine((call.changed ?? []).join(', ')) || 'nothing'],
  ['effects', call.effects && `${call.effects.introduced} new errors, ${call.effects.cured} fixed`],
  ['exit code', call.exitCode?.toString()],
  ['took', durationOf(call.durationMs)],
  [
    'agent',
    visibleLine([nameOf(call), call.agent !== undefined ? call.client : undefined].filter(Boolean).join(' in ')),
  ],
  ['task', call.task === 'default' ? '' : visibleLine(call.task ?? '')],
  ['warnings', visibleLine((call.warnings ?? []).join('; '))],
  [
    'undone by',
    call.undoneBy && (
      <a class="link code" href={addressOf('timeline', call.undoneBy)}>
        {call.undoneBy.slice(-6)}
      </a>
    ),
  ],
  ['record', <code key="record">#{call.seq}</code>],
]

function decidedWords({ verdict, approval, code }: FullCall): string {
  const reason = approval?.reason === undefined ? '' : `: “${approval.reason}”`
  if (approval?.answer === 'rule') return visibleLine(`by the rule ${approval.rule ?? ''} of ${personOf(approval.by)}`)
  if (approval) return visibleLine(`${approval.answer} by ${personOf(approval.by)}${reason}`)
  if (!verdict) return code ?? ''
  return visibleLine(
    `${verdict.verdict}${verdict.rule === undefined ? '' : ` by ${verdict.rule}`}: ${verdict.why ?? ''}`,
  )
}
