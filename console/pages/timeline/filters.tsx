import { address, addressOf, go } from '../../state/address.ts'

/** What the timeline shows: its filters are the address. */
export interface Filters {
  readonly tool?: string
  readonly verdict?: string
  readonly agent?: string
  readonly task?: string
  readonly path?: string
  readonly since?: string
  readonly text?: string
}

const NAMES = ['tool', 'verdict', 'agent', 'task', 'path', 'since', 'text'] as const

export const filtersIn = (query: Readonly<Record<string, string>>): Filters =>
  Object.fromEntries(
    NAMES.flatMap(name => (query[name] === undefined || query[name] === '' ? [] : [[name, query[name]]])),
  )

const setFilter = (name: (typeof NAMES)[number], value: string): void =>
  go(addressOf('timeline', undefined, { ...filtersIn(address.value.query), [name]: value }), { replace: true })

const VERDICTS = [
  ['', 'any'],
  ['allowed', 'allowed'],
  ['answered', 'answered by a person'],
  ['refused', 'refused'],
  ['failed', 'failed'],
] as const

const TIMES = [
  ['', 'any time'],
  ['1h', 'hour'],
  ['1d', 'day'],
  ['7d', 'week'],
] as const

/** The filters as chips. */
export function FilterChips({
  tools,
  agents,
}: {
  readonly tools: readonly string[]
  readonly agents: readonly string[]
}) {
  const filters = filtersIn(address.value.query)
  return (
    <div class="chips" role="search" aria-label="Filters">
      <Choice
        name="agent"
        label="Agent"
        value={filters.agent}
        options={[['', 'all'], ...pairs(agents, filters.agent)]}
      />
      <Choice name="verdict" label="Verdict" value={filters.verdict} options={VERDICTS} />
      <Choice name="tool" label="Tool" value={filters.tool} options={[['', 'any'], ...pairs(tools, filters.tool)]} />
      <Words name="path" label="Path" value={filters.path} example="src/**" />
      <Choice name="since" label="Last" value={filters.since} options={TIMES} />
      <Words name="text" label="Search" value={filters.text} example="any words" />
    </div>
  )
}

/** Keeps what the address asks for in the list, although no call has it. */
const pairs = (values: readonly string[], chosen: string | undefined): readonly (readonly [string, string])[] =>
  [...new Set([...values, ...(chosen === undefined ? [] : [chosen])])].toSorted().map(value => [value, value])

interface ChipProps {
  readonly name: (typeof NAMES)[number]
  readonly label: string
  readonly value: string | undefined
}

const Choice = ({
  name,
  label,
  value = '',
  options,
}: ChipProps & { readonly options: readonly (readonly [string, string])[] }) => (
  <label class="chip">
    {label}:
    <select aria-label={label} value={value} onChange={({ currentTarget }) => setFilter(name, currentTarget.value)}>
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  </label>
)

const Words = ({ name, label, value = '', example }: ChipProps & { readonly example: string }) => (
  <label class="chip">
    {label}:
    <input
      aria-label={label}
      placeholder={example}
      value={value}
      onChange={({ currentTarget }) => setFilter(name, currentTarget.value.trim())}
    />
  </label>
)
