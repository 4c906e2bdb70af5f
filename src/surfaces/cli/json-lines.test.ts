import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { jsonLines } from './json-lines.ts'

const linesOf = async (...chunks: readonly Buffer[]): Promise<string[]> => {
  const lines: string[] = []
  for await (const line of jsonLines(Readable.from(chunks))) lines.push(line)
  return lines
}

it('keeps a line with separators that a JSON string may hold whole, wherever the bytes are cut', async () => {
  const values = [{ command: 'ls\u2028id' }, { command: 'a\u2029\u2028b é' }, { command: 'ls' }]
  const bytes = Buffer.from(values.map(value => `${JSON.stringify(value)}\n`).join(''))
  for (let at = 0; at < bytes.length; at++) {
    const lines = await linesOf(bytes.subarray(0, at), bytes.subarray(at))
    expect(lines.map(line => JSON.parse(line))).toEqual(values)
  }
})

it('ends lines at line feeds, with or without a carriage return, and at the end', async () => {
  expect(await linesOf(Buffer.from('1\r\n2\n\n3'))).toEqual(['1', '2', '', '3'])
})
