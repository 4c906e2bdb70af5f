import { expect, it } from 'vitest'
import { ToolError } from '../../../kernel/error.ts'
import type { Position } from '../servers/lsp-schemas.ts'
import type { ServerClient } from '../servers/types.ts'
import { fileQueries } from './file-queries.ts'
import { findCallers } from './find-callers.ts'

const CALLERS = 400
const ANSWERED = 20
const FILE = 'many.ts'
const TEXT = [
  'export function target() {}',
  ...Array.from({ length: CALLERS }, (_, at) => `export function f${at}() { target() }`),
].join('\n')

/** Knows who calls the target, then answers a few more questions until the time is over. */
function busyServer() {
  const asked: number[] = []
  const server: Partial<ServerClient> = {
    pathOf: () => FILE,
    async references(_path, { line }: Position) {
      asked.push(line)
      if (line > 0 && asked.length > ANSWERED) throw new ToolError('timeout', 'The server did not answer in time')
      if (line > 0) return []
      return TEXT.split('\n').flatMap((text, at) => {
        const character = text.indexOf('target() }')
        const range = { start: { line: at, character }, end: { line: at, character: character + 6 } }
        return character < 0 ? [] : [{ uri: FILE, range }]
      })
    },
  }
  return { server: server as ServerClient, asked }
}

it('answers with the nearest callers when the time is over, and asks for no more', async () => {
  const { server, asked } = busyServer()
  const looks = fileQueries(server, () => TEXT)
  const target = { key: 'target', name: 'target', path: FILE, positions: [{ line: 0, character: 16 }] }
  const required = { of: async () => [], isPartial: () => false }
  const none = async () => ({ calls: [], possible: [] })
  const found = await findCallers(target, new Set(), 2, { server, looks, required, mayRead: () => true }, none)
  expect(found.callers).toHaveLength(CALLERS)
  expect(found.isCut).toBe(true)
  // Questions that were on their way may still fail.
  expect(asked.length).toBeLessThan(2 * ANSWERED)
})
