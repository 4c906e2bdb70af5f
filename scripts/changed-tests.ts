import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { affectedTests } from './affected-tests.ts'
import { changedFiles, filesOf } from './changed-files.ts'

export interface ChangedTests {
  /** The remaining arguments, for vitest. */
  readonly args: readonly string[]
  readonly tests: readonly string[]
  /** The number of test files. */
  readonly all: number
  readonly since: string
}

/** The test files that `--changed [REF]` selects, within the named paths; undefined without that option. */
export function changedTests(root: string, args: readonly string[]): ChangedTests | undefined {
  const place = args.findIndex(arg => /^--changed(=|$)/.test(arg))
  if (place < 0) return undefined
  const isPath = (word: string): boolean => !word.startsWith('-') && existsSync(join(root, word))
  const next = args[place + 1]
  const written = /^--changed=(.*)$/.exec(args[place] ?? '')?.[1]
  const ref = written ?? (next === undefined || next.startsWith('-') || isPath(next) ? undefined : next)
  const others = args.toSpliced(place, written === undefined && ref !== undefined ? 2 : 1)
  // The word after `-t` is always a name.
  const paths = others.filter((word, at) => isPath(word) && !/^(-t|--testNamePattern)$/.test(others[at - 1] ?? ''))

  const files = filesOf(root)
  const change = changedFiles(root, ref)
  const affected = affectedTests(files, change.files)
  return {
    args: others.filter(word => !paths.includes(word)),
    tests: paths.length === 0 ? affected : affected.filter(test => paths.some(path => isBelow(test, path))),
    all: [...files.keys()].filter(name => name.endsWith('.test.ts')).length,
    since: change.since,
  }
}

const isBelow = (file: string, path: string): boolean => `${file}/`.startsWith(`${path.replace(/^\.\/|\/+$/g, '')}/`)
