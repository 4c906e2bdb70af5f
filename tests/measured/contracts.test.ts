import { globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { suiteOf } from '../suites.ts'
import { lineCoverage, type ScriptCoverage } from './line-coverage.ts'
import { readCoverage } from './read-coverage.ts'

const ROOT = join(import.meta.dirname, '../..')
const LEAST = 95

interface Figure {
  readonly name: string
  readonly lines: number
  readonly covered: number
  readonly missed: readonly number[]
}

/** Part of a run that takes coverage: `npm test` without arguments, and with --changed where every test of a contract runs. */
describe('the tests of the contracts', () => {
  const testFiles = globSync('tests/conformance/**/*.test.ts', { cwd: ROOT }).filter(
    file => suiteOf(file) === 'contracts',
  )
  const runs = readCoverage(
    process.env['TOOLWRIGHT_COVERAGE'] ?? '',
    testFiles.map(file => join(ROOT, file)),
  )

  it.each(['superconnect', 'autonomous', 'cli-agent', 'debug-assistant', 'sage'])(
    'CA-18: run at least 95% of the lines of every file of %s',
    contract => {
      const figures = figuresOf(`src/contracts/${contract}`, runs)
      const sum = (key: 'lines' | 'covered'): number => figures.reduce((total, figure) => total + figure[key], 0)
      const report = [
        `${contract}: ${percent({ lines: sum('lines'), covered: sum('covered') })}% of ${sum('lines')} lines`,
        ...figures.map(each => `  ${each.name.padEnd(28)} ${percent(each)}%${missedIn(each)}`),
      ]
      console.log(report.join('\n'))
      expect(figures.length).toBeGreaterThan(5)
      expect(figures.filter(each => percent(each) < LEAST)).toEqual([])
    },
  )
})

const figuresOf = (folder: string, runs: readonly ScriptCoverage[]): readonly Figure[] =>
  readdirSync(join(ROOT, folder))
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => {
      const url = pathToFileURL(join(ROOT, folder, name)).href
      return {
        name,
        ...lineCoverage(
          url,
          runs.filter(run => run.url === url),
        ),
      }
    })

const percent = ({ lines, covered }: Pick<Figure, 'lines' | 'covered'>): number =>
  lines === 0 ? 100 : Math.floor((covered / lines) * 1000) / 10

const missedIn = ({ missed }: Figure): string => (missed.length > 0 ? `, not line ${missed.join(', ')}` : '')
