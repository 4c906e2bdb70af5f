import { existsSync, readFileSync } from 'node:fs'
import { judge, schemasOf } from '../../tests/schemas/stored.ts'
import { at } from '../root.mjs'
import { contracts } from './contracts.ts'

/**
 * Returns the current schemas to store. A change without a new version is a problem and is not stored.
 * A tool that was never released may change freely: remove its entry from the file first.
 */
export function storedSchemas(): { readonly text: string; readonly problems: readonly string[] } {
  const file = at('tests', 'data', 'schemas.json')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '{}'
  const now = schemasOf(contracts)
  const problems = judge(JSON.parse(before), now)
  return { text: problems.length > 0 ? before : `${JSON.stringify(now, null, 2)}\n`, problems }
}
