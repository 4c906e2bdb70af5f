import type { Deprecation } from '../../tests/schemas/deprecations.ts'
import { code, table } from './schema-table.ts'

/** The table of what is announced for removal and of what was removed. */
export function migrationTable(deprecations: readonly Deprecation[]): string {
  if (deprecations.length === 0) return 'Nothing is deprecated, and nothing was removed.'
  const rows = deprecations.map(({ tool, parameter, instead, versions, removed }) => [
    code(tool),
    parameter === undefined ? 'the tool' : code(parameter),
    versions[0] ?? '',
    removed ?? '',
    instead,
  ])
  return table(['tool', 'what', 'deprecated in', 'removed in', 'instead'], rows)
}
