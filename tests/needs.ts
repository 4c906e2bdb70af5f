import { it } from 'vitest'
import { howTo, missing, type SystemPackage } from '../scripts/system-packages.mjs'

/**
 * `it` for a test that rests on a system program: `needs('strace')('name', …)`.
 * Where the program is missing the test is left out and named at the end of the run; where that is forbidden
 * (TOOLWRIGHT_NO_SKIP=1) its file fails.
 */
export const needs = (...packages: readonly SystemPackage[]): typeof it.skip => {
  const absent = packages.filter(name => declaredMissing().includes(name) || missing([name]).length > 0)
  if (absent.length === 0) return it
  if (process.env['TOOLWRIGHT_NO_SKIP'] !== '1') return it.skip
  throw new Error(`${absent.join(', ')} not installed, and no test may be left out here. ${howTo(absent)}`)
}

const declaredMissing = (): readonly string[] => (process.env['TOOLWRIGHT_MISSING'] ?? '').split(',')
