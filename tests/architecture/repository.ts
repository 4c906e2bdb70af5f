import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { OWN_PROGRAMS } from '../../src/machine/own-program.ts'
import { readModule, type Module } from './module.ts'

const root = dirname(dirname(import.meta.dirname))

const EVERY_FOLDER = '{src,tests,bench,scripts,examples}'

/** Reads every file of ours that may import a source. Data of tests is not ours. */
export const readRepository = (): readonly Module[] => readFiles(EVERY_FOLDER, ['tests/data/**'])

/** Reads the sources without the tests beside them, which are almost as much to parse. */
export const readSources = (): readonly Module[] => readFiles('src', ['src/**/*.test.ts'])

const readFiles = (folder: string, exclude: readonly string[]): readonly Module[] =>
  globSync(`${folder}/**/*.{ts,mjs}`, { cwd: root, exclude }).map(file =>
    readModule(file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')),
  )

/** Lists the sources that others than our files load: the package's exports, and what the build starts or swaps in. */
export function entryFiles(): ReadonlySet<string> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const types = Object.values<{ readonly types?: string }>(exports).flatMap(entry => entry.types ?? [])
  return new Set([
    ...types.map(file => file.replace('./dist/types/', 'src/').replace('.d.ts', '.ts')),
    ...Object.values(OWN_PROGRAMS).map(file => posix.join('src', file)),
    'src/surfaces/mcp/sdk-shims.ts',
  ])
}
