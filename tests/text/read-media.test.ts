import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMcpServer } from '../../src/mcp.ts'
import { useCli } from '../cli/rig.ts'
import { connectTo } from '../mcp/connect.ts'
import { PIXEL } from './images.ts'

const LARGEST = 5 * 1024 * 1024
const DESCRIBED = `PNG image, 1 × 1, ${PIXEL.length} bytes`
const DATA = PIXEL.toString('base64')

const cli = useCli({ 'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n' })

/** A PNG of any size: what stands behind its header is not looked at. */
const png = (bytes: number): Buffer => Buffer.concat([PIXEL, Buffer.alloc(bytes - PIXEL.length)])

const reading = async (path: string, more: object = {}) => {
  const kit = await cli.workspace.open()
  return (await kit.run('read', { path, ...more })).outcome
}

describe('reading an image', () => {
  it('gives a program its bytes, its type and its size, whatever its name', async () => {
    cli.workspace.write('notes.txt', PIXEL)
    expect(await reading('notes.txt')).toMatchObject({
      ok: true,
      data: {
        content: DESCRIBED,
        from: 1,
        to: 0,
        bytes: PIXEL.length,
        encoding: 'binary',
        truncated: false,
        media: { type: 'image/png', width: 1, height: 1, data: DATA },
      },
    })
  })

  it('gives a large one whole, and describes one that is larger than the bound', async () => {
    cli.workspace.write('large.png', png(LARGEST))
    const large = await reading('large.png')
    expect(large).toMatchObject({ data: { media: { data: png(LARGEST).toString('base64') } } })
    expect(large.meta.ref).toBeUndefined()
    cli.workspace.write('larger.png', png(LARGEST + 1))
    expect(await reading('larger.png')).toMatchObject({
      data: {
        content: 'PNG image, 1 × 1, 5,242,881 bytes, too large to return',
        media: { type: 'image/png', width: 1, height: 1 },
      },
    })
  })

  it('describes one whose header is cut off', async () => {
    cli.workspace.write('a.png', PIXEL.subarray(0, 10))
    expect(await reading('a.png')).toMatchObject({ data: { content: 'PNG image, 10 bytes' } })
  })

  it('counts its bytes, and keeps none of them in the journal', async () => {
    cli.workspace.write('a.png', png(100_000))
    await reading('a.png')
    const journal = readdirSync(join(cli.workspace.base, 'state'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n')
    expect(journal).toContain(`PNG image, 1 × 1, 100,000 bytes`.replace('×', '\xc3\x97'))
    expect(journal).toMatch(/"bytes":13\d{4},/)
    expect(journal).not.toContain(DATA.slice(0, 40))
  })

  it('stands beside the answer in MCP, and not in it', async () => {
    cli.workspace.write('a.png', PIXEL)
    await using server = await connectTo(await createMcpServer(await cli.workspace.open()))
    const { content, structuredContent } = await server.client.callTool({ name: 'read', arguments: { path: 'a.png' } })
    expect(content).toEqual([
      expect.objectContaining({ type: 'text' }),
      { type: 'image', data: DATA, mimeType: 'image/png' },
    ])
    expect(structuredContent).toMatchObject({ data: { content: DESCRIBED, media: { type: 'image/png' } } })
    expect(JSON.stringify([content[0], structuredContent])).not.toContain(DATA)
  })

  it('is described on a command line, to people and to programs', async () => {
    cli.workspace.write('a.png', PIXEL)
    const { code, out } = await cli.run(['read', 'a.png'])
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n').at(-1)).toBe(DESCRIBED)
    expect(out).not.toContain('1  PNG')
    const { result } = await cli.call('read', { path: 'a.png' })
    expect(result).toMatchObject({ ok: true, data: { content: DESCRIBED } })
    expect(result.data.media).toEqual({ type: 'image/png', width: 1, height: 1 })
  })

  it('is what an encoding was asked for, or refused as other data is', async () => {
    cli.workspace.write('a.png', PIXEL)
    cli.workspace.write('a.bin', Buffer.from([1, 0, 2]))
    expect(await reading('a.png', { encoding: 'latin-1' })).toMatchObject({ error: { code: 'binary' } })
    expect(await reading('a.bin')).toMatchObject({ error: { code: 'binary' } })
    expect(await reading('icon.svg')).toMatchObject({ data: { content: expect.stringContaining('<svg') } })
  })

  it('is what the documents say of data to their tools', async () => {
    cli.workspace.write('a.png', PIXEL)
    const kit = await cli.workspace.open({ contract: 'cli-agent' })
    const { outcome } = await kit.run('read_file', { path: 'a.png' })
    expect(outcome).toMatchObject({ data: { output: expect.stringContaining('first 1KB as hex') } })
  })
})

describe('reading a notebook', () => {
  const NOTEBOOK = JSON.stringify({
    nbformat: 4,
    metadata: {},
    cells: [
      { cell_type: 'markdown', source: 'Title' },
      { cell_type: 'code', source: 'x = 1', outputs: [] },
    ],
  })

  it('gives its cells, and says how to edit it', async () => {
    cli.workspace.write('a.ipynb', NOTEBOOK)
    expect(await reading('a.ipynb', { from: 2 })).toMatchObject({
      data: {
        content: '--- cell 2 of 2: code ---\nx = 1\n',
        from: 2,
        to: 2,
        totalLines: 2,
        media: { cells: 2, note: expect.stringContaining('read its lines with `encoding` utf-8') },
      },
    })
    expect(await reading('a.ipynb', { from: 3 })).toMatchObject({ error: { code: 'out_of_range' } })
  })

  it('is text where an encoding is given, and where it is no notebook', async () => {
    cli.workspace.write('a.ipynb', NOTEBOOK)
    cli.workspace.write('b.ipynb', '{ one\n')
    expect(await reading('a.ipynb', { encoding: 'utf-8' })).toMatchObject({
      data: { content: NOTEBOOK, totalLines: 1 },
    })
    const { data } = Object(await reading('b.ipynb'))
    expect(data).toMatchObject({ content: '{ one\n', totalLines: 1, encoding: 'utf-8' })
    expect(data).not.toHaveProperty('media')
  })

  it('is overwritten only by who has read its lines', async () => {
    cli.workspace.write('a.ipynb', NOTEBOOK)
    const kit = await cli.workspace.open({ permissions: ['fs:write'] })
    const write = async () => (await kit.run('write', { path: 'a.ipynb', content: '{}' })).outcome
    await kit.run('read', { path: 'a.ipynb' })
    expect(await write()).toMatchObject({ ok: false })
    await kit.run('read', { path: 'a.ipynb', encoding: 'utf-8' })
    expect(await write()).toMatchObject({ ok: true })
  })
})
