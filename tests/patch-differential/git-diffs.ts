import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tree } from './tree.ts'

export interface Pair {
  readonly before: Tree
  readonly after: Tree
  readonly context: number
}

/** The diffs that git itself makes of many pairs of trees, with two processes for all of them. */
export function gitDiffs(directory: string, pairs: readonly Pair[], more: readonly string[] = []): string[] {
  const run = (args: readonly string[], input: Buffer): string =>
    execFileSync('git', [...args], {
      cwd: directory,
      env: gitEnvironment(directory),
      input,
      maxBuffer: 2 ** 30,
    }).toString('latin1')
  run(['init', '-q', '--bare', '.'], Buffer.alloc(0))
  run(['fast-import', '--quiet', '--export-marks=marks'], Buffer.from(pairs.map(importOf).join(''), 'latin1'))
  const ids = new Map(
    readFileSync(join(directory, 'marks'), 'utf8')
      .trim()
      .split('\n')
      .map(line => line.slice(1).split(' ') as [string, string]),
  )
  const diffs = pairs.map(() => '')
  for (const context of new Set(pairs.map(pair => pair.context))) {
    const chosen = pairs.flatMap((pair, index) => (pair.context === context ? [index] : []))
    const asked = chosen.map(index => `${ids.get(`${2 * index + 2}`)} ${ids.get(`${2 * index + 1}`)}\n`).join('')
    const options = ['-p', '-M', '-C', '--find-copies-harder', `-U${context}`, '--full-index', ...more]
    const output = run(['diff-tree', '--stdin', '-r', ...options], Buffer.from(asked))
    const found = new Map<string, string>()
    for (const part of output.split(/^(?=[0-9a-f]{40}\n)/m)) found.set(part.slice(0, 40), part.slice(41))
    for (const index of chosen) diffs[index] = found.get(ids.get(`${2 * index + 2}`) ?? '') ?? ''
  }
  return diffs
}

/** Git without user settings, and never inside the repository of the tests. */
export const gitEnvironment = (directory: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: directory,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CEILING_DIRECTORIES: directory,
})

/** Each commit has its own message, so that no two have the same name. */
function importOf({ before, after }: Pair, index: number): string {
  return [before, after].map((tree, side) => commitOf(tree, 2 * index + 1 + side)).join('')
}

function commitOf(tree: Tree, mark: number): string {
  const files = [...tree].map(
    ([path, { content, executable }]) =>
      `M ${executable ? 100755 : 100644} inline ${quoted(path)}\ndata ${content.length}\n${content}\n`,
  )
  const head = `commit refs/heads/c${mark}\nmark :${mark}\ncommitter t <t> 0 +0000\ndata ${`${mark}`.length}\n${mark}\n`
  return `${head}${files.join('')}\n`
}

const quoted = (path: string): string =>
  `"${Buffer.from(path).toString('latin1').replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`
