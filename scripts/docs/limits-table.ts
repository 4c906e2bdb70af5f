import type { Engines } from '../../src/engines/engines.ts'
import type { AnyTool } from '../../src/kernel/contract.ts'
import { LOAD_MS } from '../../src/guards/judgement.ts'
import { DEFAULT_TIMEOUT_MS } from '../../src/runtime/deadline.ts'
import { contracts } from './contracts.ts'
import { code, table } from './schema-table.ts'

/** What one call of each tool may take, and what a component or task may use of it. */
export const limitsTable = (): string =>
  table(
    ['tool', 'time of a call', 'budget'],
    contracts.flatMap(({ id, tools }) => tools.map(tool => [code(`${id}/${tool.name}`), timeOf(tool), budgetOf(tool)])),
  )

function timeOf({ timeoutMs = DEFAULT_TIMEOUT_MS, loads }: AnyTool<Engines>): string {
  const time = seconds(timeoutMs)
  return loads === undefined ? time : `${time}, once ${loads} is ready, which may take ${seconds(LOAD_MS)}`
}

const seconds = (ms: number): string => (ms % 60_000 === 0 && ms >= 120_000 ? `${ms / 60_000} min` : `${ms / 1000} s`)

function budgetOf({ budget = {}, justifiedAfter }: AnyTool<Engines>): string {
  const { calls, bytes, concurrent } = budget
  return [
    ...(calls === undefined ? [] : [`${calls} calls`]),
    ...(bytes === undefined ? [] : [`${bytes / 1024 / 1024} MB`]),
    ...(concurrent === undefined ? [] : [`${concurrent} at the same time`]),
    ...(justifiedAfter === undefined ? [] : [`a justification after ${justifiedAfter} calls`]),
  ].join(', ')
}
