import { existsSync, readFileSync } from 'node:fs'
import { judgeAnnouncements, recordDeprecations, type Deprecation } from '../../tests/schemas/deprecations.ts'
import { judge, schemasOf, type Stored } from '../../tests/schemas/stored.ts'
import { at } from '../root.mjs'
import { contracts } from './contracts.ts'

const SCHEMAS = 'tests/data/schemas.json'
const DEPRECATIONS = 'tests/data/deprecations.json'

/**
 * Returns the files of the current schemas and deprecations to store. A change without a new version, and a removal that
 * was not announced, is a problem and is not stored. A tool that was never released may change freely: remove its entry
 * from the file first.
 */
export function storedSchemas(): { readonly files: ReadonlyMap<string, string>; readonly problems: readonly string[] } {
  const stored: Stored = JSON.parse(textOf(SCHEMAS, '{}'))
  const before: readonly Deprecation[] = JSON.parse(textOf(DEPRECATIONS, '[]'))
  const now = schemasOf(contracts)
  const problems = [...judge(stored, now, before), ...judgeAnnouncements(before, contracts, stored)]
  if (problems.length > 0) return { files: new Map(), problems }
  return {
    files: new Map([
      [SCHEMAS, jsonText(now)],
      [DEPRECATIONS, jsonText(recordDeprecations(before, contracts, { stored, now }))],
    ]),
    problems,
  }
}

/** Returns what is announced or was removed, as stored. */
export const storedDeprecations = (): readonly Deprecation[] => JSON.parse(textOf(DEPRECATIONS, '[]'))

const textOf = (path: string, otherwise: string): string =>
  existsSync(at(path)) ? readFileSync(at(path), 'utf8') : otherwise

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
