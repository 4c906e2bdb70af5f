import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { read, wordsOf } from '../../api/request.ts'
import { Badge, type Meaning } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { durationOf } from '../../parts/times.ts'
import { visibleLine } from '../../parts/visible-text.ts'
import type { Budgets } from '../../state/spending.ts'
import { Bars, Stack, type Step } from './plots.tsx'

interface Counts {
  readonly calls: number
  readonly failures: number
  readonly refusals: number
  readonly bytes: number
  readonly p50Ms: number
  readonly p95Ms: number
}

interface Metrics {
  readonly total: Counts
  readonly tools: Readonly<Record<string, Counts>>
}

interface Finding {
  readonly state: 'good' | 'limited' | 'bad'
  readonly about: string
  readonly text: string
}

const HOURS = [
  [1, 'hour'],
  [24, 'day'],
  [168, 'week'],
] as const

/** How much is done here, how it ends, how long it takes, and what protects you. */
export function Numbers() {
  const [hours, setHours] = useState(24)
  const series = useRead<{ series: readonly Step[] }>('/v1/metrics/series', { hours, steps: 48 }, hours)
  const metrics = useRead<Metrics>('/v1/metrics', {})
  const budgets = useRead<Budgets>('/v1/budgets', {})
  const doctor = useRead<{ findings: readonly Finding[] }>('/v1/doctor', {})
  const tools = Object.entries(metrics.data?.tools ?? {}).map(([tool, counts]) => ({
    tool: tool.replace(/^toolwright\//, ''),
    ...counts,
  }))
  const { total } = metrics.data ?? {}
  return (
    <div class="numbers">
      <div class="page-head">
        <h1>Numbers</h1>
        <span class="muted cut">
          {total &&
            `${total.calls.toLocaleString('en')} calls recorded · ${total.refusals} refused · ${total.failures} failed · half took under ${durationOf(total.p50Ms)}`}
        </span>
        <span class="end">
          <label class="chip">
            Last:
            <select
              aria-label="Last"
              value={String(hours)}
              onChange={({ currentTarget }) => setHours(Number(currentTarget.value))}
            >
              {HOURS.map(([value, words]) => (
                <option key={value} value={String(value)}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        </span>
      </div>
      <div class="scroll" tabIndex={0}>
        {metrics.problem !== '' && <Empty title="The numbers cannot be read">{metrics.problem}</Empty>}
        <div class="plots">
          <Plot title="Calls, by how they ended">{series.data && <Stack steps={series.data.series} />}</Plot>
          <Plot title="Time by tool">
            <Bars
              rows={tools.map(({ tool, calls, p50Ms }) => ({
                name: tool,
                value: calls * p50Ms,
                words: durationOf(calls * p50Ms),
              }))}
            />
          </Plot>
          <Plot title="Answers given to models, by tool">
            <Bars
              rows={tools.map(({ tool, bytes }) => ({
                name: tool,
                value: bytes,
                words: `about ${Math.round(bytes / 4).toLocaleString('en')} tokens`,
              }))}
            />
          </Plot>
          <Plot title="Budgets">{budgets.data && <BudgetBars budgets={budgets.data} />}</Plot>
        </div>
        <section class="card doctor" aria-labelledby="doctor-title">
          <header>
            <h2 id="doctor-title">What protects you here</h2>
            <span class="end">toolwright doctor</span>
          </header>
          <ul>
            {doctor.data?.findings.map(({ state, about, text }, at) => (
              <li key={at}>
                <Badge meaning={STATES[state]} words={state} />
                <b>{visibleLine(about)}</b>
                <span class="muted cut" title={visibleLine(text)}>
                  {visibleLine(text)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  )
}

const STATES: Readonly<Record<Finding['state'], Meaning>> = { good: 'allowed', limited: 'asked', bad: 'refused' }

const Plot = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="card plot" aria-label={title}>
    <header>
      <h2>{title}</h2>
    </header>
    <div class="body">{children}</div>
  </section>
)

function BudgetBars({ budgets: { budgets, spent } }: { readonly budgets: Budgets }) {
  if (budgets.length === 0 && spent.length === 0)
    return <p class="muted">No budget is set. One limits what a task may read or how often it may call a tool.</p>
  return (
    <Bars
      rows={spent.map(({ task, tool, calls, bytes }) => ({
        name: `${tool.replace(/^toolwright\//, '')} · ${task}`,
        value: calls,
        words: `${calls} calls, ${(bytes / 1e6).toFixed(1)} MB`,
      }))}
    />
  )
}

/** Reads once, and again when what is wanted changes. */
function useRead<T>(path: string, query: Readonly<Record<string, string | number>>, again: unknown = undefined) {
  const [state, setState] = useState<{ readonly data?: T; readonly problem: string }>({ problem: '' })
  useEffect(() => {
    read<T>(path, query).then(
      data => setState({ data, problem: '' }),
      (error: unknown) => setState({ problem: wordsOf(error) }),
    )
  }, [again])
  return state
}
