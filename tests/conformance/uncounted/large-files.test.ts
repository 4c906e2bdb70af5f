import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { success, useAgent } from '../cli-agent/rig.ts'
import { rigWith } from '../debug-assistant/rig.ts'

const MB = 1024 * 1024

describe('cli-agent', () => {
  const agent = useAgent()

  it('CA-04: content of exactly 10 MB is taken, one byte more is not', async () => {
    const most = 10 * MB
    expect(await agent.call('create_file', { path: 'big', content: 'x'.repeat(most) })).toStrictEqual(
      success(`Created file: big (${most} bytes)`, ['big']),
    )
    expect(statSync(join(agent.workspace.path, 'big')).size).toBe(most)
    // Bytes count, not characters.
    for (const content of ['x'.repeat(most + 1), 'é'.repeat(most / 2 + 1)])
      expect(await agent.fails('create_file', { path: 'bigger', content })).toMatchObject({
        output: "Error: Parameter 'content': Content is larger than 10MB",
      })
  })

  it('CA-05: 10 MB are given whole, whatever is in them', async () => {
    const count = (10 * MB) / 64
    const content = `${'"'.repeat(63)}\n`.repeat(count)
    agent.workspace.write('ten.txt', content)
    expect(await agent.call('read_file', { path: 'ten.txt' })).toStrictEqual(
      success(`Contents of ten.txt (lines 1-${count}):\n${content}`, [], {
        total_lines: count,
        lines_returned: count,
        file_size_bytes: 10 * MB,
      }),
    )
  })
})

describe('debug-assistant', () => {
  it('DA-04: reads 10 MB, and names what is larger', async () => {
    const most = 10 * MB
    await using rig = await rigWith({ 'most.txt': 'a'.repeat(most), 'more.txt': 'a'.repeat(most + 1) })
    const read = async (filePath: string) => Object(await rig.call('read_file', { filePath }))
    expect((await read('most.txt')).data.fileSize).toBe(most)
    expect((await read('more.txt')).error.code).toBe('TOO_LARGE')
  })
})
