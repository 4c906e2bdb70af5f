import { expect, it } from 'vitest'
import { modelOf } from '../../../model/model-of.ts'
import { namedTree, readTree } from './read-tree.ts'

it('gives others a turn while it reads, in which parsers let go of their memory', async () => {
  const files = Array.from({ length: 100 }, (_, at) => ({
    path: `src/a${at}.ts`,
    bytes: Buffer.from(`export const a${at} = () => ${at}\n`),
  }))
  // Loading the parser takes turns of its own.
  await modelOf('src/a.ts', Buffer.from(''))
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const tree = { directory: '/', from: 'disk' as const, files }
  const { codes } = await readTree(tree, namedTree(tree), { get: () => undefined, put() {} })
  isDone = true
  expect(codes.map(([path]) => path)).toEqual(files.map(({ path }) => path))
  expect(turns).toBeGreaterThanOrEqual(4)
})
