import { jsonLine } from '../../../kernel/json-line.ts'
import { sanitize, sanitizeBlock } from '../../../kernel/sanitize.ts'
import type { CallResult, RunEvent } from '../../../agent/run-events.ts'
import type { AgentOptions, AgentResult } from '../../agent/agent-options.ts'
import { callTarget } from '../call-target.ts'
import { painter, say, type Terminal } from '../terminal.ts'
import { countOf } from '../../../guards/approval/card.ts'

/** Shows a run as it happens. */
interface RunLines {
  readonly event: (event: RunEvent) => void
  /** Shows how it ended, what it cost, what changed, and how to take it back. */
  end(result: AgentResult, limits: Pick<AgentOptions, 'maxTotalTokens'>): void
}

/** On a terminal all of it is one text; elsewhere the answer alone is standard output, and with `--json` every event. */
export function runLines(
  terminal: Terminal,
  { isJson, isVerbose }: { readonly isJson: boolean; readonly isVerbose: boolean },
): RunLines {
  const isShown = terminal.stdout.isTTY === true
  const since = performance.now()
  const progress = isShown ? terminal.stdout : terminal.stderr
  const paint = painter(terminal, progress)
  let isOpenLine = false
  const line = (text: string): void => {
    progress.write(`${isOpenLine ? '\n' : ''}${text}\n`)
    isOpenLine = false
  }
  const write = (text: string): void => {
    if (text === '') return
    progress.write(sanitizeBlock(text))
    isOpenLine = !text.endsWith('\n')
  }

  function show(event: RunEvent): void {
    switch (event.type) {
      case 'start':
        return line(paint('dim', `· ${event.model} · ${event.id}`))
      case 'text':
        return write(event.text)
      case 'call-end':
        return line(callLine(event))
      case 'retry':
        return line(paint('yellow', `· ${sanitize(event.why, { max: 160 })}; again in ${seconds(event.afterMs)}`))
      case 'compacted':
        return line(paint('dim', `· ${countOf(event.outputs, 'old output')} gave way to a reference`))
      case 'sent-back':
        return line(
          paint('yellow', `· the answer does not fit its schema: ${sanitize(event.errors.join('; '), { max: 160 })}`),
        )
      default:
        return undefined
    }
  }

  function callLine({ call, result }: Extract<RunEvent, { type: 'call-end' }>): string {
    const target = callTarget({ input: call.input ?? {} })
    const words = `${sanitize(call.tool, { max: 80 })}${target === '' ? '' : ` ${target}`}`
    const changed = result.changed ?? []
    const by = result.verdict === undefined ? '' : `, ${result.verdict}`
    const mark = result.ok ? (changed.length > 0 ? paint('green', '✓') : paint('dim', '·')) : paint('red', '✗')
    const how = result.ok
      ? changed.length > 0
        ? ` ${paint('dim', `changed ${changed.length === 1 ? sanitize(String(changed[0])) : `${changed.length} files`}${by}`)}`
        : ''
      : failureOf(result)
    const more = isVerbose ? `\n${indented(result.text)}` : ''
    return `${mark} ${words}${how}${more}`
  }

  return {
    event: isJson ? event => say(terminal, jsonLine(event)) : show,
    end(result, limits) {
      if (isOpenLine) line('')
      if (!isShown) say(terminal, typeof result.output === 'string' ? result.output : jsonLine(result.output))
      else if (typeof result.output !== 'string') line(jsonLine(result.output))
      if (result.reason !== undefined) line(paint('red', sanitize(result.reason, { max: 400 })))
      const { usage, changed, status } = result
      const facts = [
        paint(status === 'completed' ? 'green' : 'red', status.replaceAll('_', ' ')),
        countOf(usage.turns, 'turn'),
        `${tokens(usage.totalTokens)}${limits.maxTotalTokens === undefined ? '' : ` of ${tokens(limits.maxTotalTokens)}`} tokens`,
        changed.length === 0 ? 'nothing changed' : `${countOf(changed.length, 'file')} changed`,
        duration(performance.now() - since),
      ]
      line(`\n${facts.join(' · ')}`)
      if (result.undo !== null) line(`undo all of it: ${result.undo}`)
      if (status !== 'completed') line(`go on with it: toolwright agent --resume ${result.id}`)
    },
  }
}

/** Returns how a call failed: the first line that the model reads, and the reason of a no. */
function failureOf({ code = 'failed', message = '', text }: CallResult): string {
  const [, reason] = /because: (.*)\. Do not make the same call again/.exec(text) ?? []
  if (code === 'rejected') return ` was refused${reason === undefined ? '' : `: ${sanitize(reason, { max: 200 })}`}`
  return `: ${sanitize(`${code}: ${message}`, { max: 200 })}`
}

const MOST_LINES = 12

function indented(text: string): string {
  const lines = sanitizeBlock(text).split('\n')
  const rest = lines.length - MOST_LINES
  return [...lines.slice(0, MOST_LINES), ...(rest > 0 ? [`… +${countOf(rest, 'line')}`] : [])]
    .map(each => `    ${each}`)
    .join('\n')
}

const tokens = (count: number): string =>
  count < 1000 ? String(count) : `${(count / 1000).toFixed(1).replace(/\.0$/, '')}k`

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const duration = (ms: number): string =>
  ms < 60_000 ? seconds(ms) : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
