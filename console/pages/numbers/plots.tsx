import { visibleLine } from '../../parts/visible-text.ts'

/** One step of the calls over time. */
export interface Step {
  readonly from: string
  readonly allowed: number
  readonly answered: number
  readonly refused: number
  readonly failed: number
}

const STATES = [
  ['allowed', 'quiet', 'allowed'],
  ['answered', 'allowed', 'answered by you'],
  ['refused', 'refused', 'refused'],
  ['failed', 'failed', 'failed'],
] as const

const HEIGHT = 120

/** Calls over time, one bar a step, divided by how they ended. */
export function Stack({ steps }: { readonly steps: readonly Step[] }) {
  const sumOf = (step: Step): number => STATES.reduce((sum, [state]) => sum + step[state], 0)
  const most = Math.max(1, ...steps.map(sumOf))
  const totals = STATES.map(([state, colour, words]) => ({
    colour,
    words,
    count: steps.reduce((sum, step) => sum + step[state], 0),
  }))
  return (
    <>
      <svg
        class="stack"
        viewBox={`0 0 ${steps.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={totals.map(({ words, count }) => `${count} ${words}`).join(', ')}
      >
        {steps.map((step, at) => {
          let y = HEIGHT
          return STATES.map(([state, colour]) => {
            const height = (step[state] / most) * (HEIGHT - 4)
            y -= height
            return (
              height > 0 && (
                <rect key={`${at}-${state}`} class={`fill-${colour}`} x={at * 10 + 1} y={y} width={8} height={height} />
              )
            )
          })
        })}
      </svg>
      <p class="labels">
        {totals.map(({ colour, words, count }) => (
          <span key={words} class={colour}>
            <span class="dot" aria-hidden="true" /> {count.toLocaleString('en')} {words}
          </span>
        ))}
      </p>
    </>
  )
}

interface BarRow {
  readonly name: string
  readonly value: number
  readonly words: string
}

const MOST_ROWS = 8

/** The largest values, each with its words at the end of its bar. */
export function Bars({ rows }: { readonly rows: readonly BarRow[] }) {
  const largest = rows.toSorted((one, other) => other.value - one.value).slice(0, MOST_ROWS)
  const most = Math.max(1, ...largest.map(({ value }) => value))
  if (largest.length === 0) return <p class="muted">Nothing yet.</p>
  return (
    <table class="bars">
      <tbody>
        {largest.map(({ name, value, words }) => (
          <tr key={name}>
            <td class="code cut">{visibleLine(name)}</td>
            <td>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect class="fill-changed" x="0" y="1" width={Math.max(0.5, (value / most) * 100)} height="8" />
              </svg>
            </td>
            <td class="muted">{visibleLine(words)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
