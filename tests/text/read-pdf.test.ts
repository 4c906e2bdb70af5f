import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { useCli } from '../cli/rig.ts'
import { pdfOf } from './pdf-of.ts'

const cli = useCli({ 'notes.txt': 'one\n' })

const reading = async (path: string, more: object = {}) => {
  const kit = await cli.workspace.open()
  return (await kit.run('read', { path, ...more })).outcome
}

/** Starting the process that parses takes a while. */
const SLOW = { timeout: 60_000 }

describe('reading a PDF', () => {
  it('gives the text of its pages, each under its number', SLOW, async () => {
    cli.workspace.write('a.bin', pdfOf(['Hello there', 'Second page']))
    expect(await reading('a.bin')).toMatchObject({
      ok: true,
      data: {
        content: '--- page 1 of 2 ---\nHello there\n\n--- page 2 of 2 ---\nSecond page\n',
        from: 1,
        to: 2,
        totalLines: 2,
        truncated: false,
        encoding: 'binary',
        media: { type: 'application/pdf', pages: 2 },
      },
    })
  })

  it('takes pages as from and to, and says which come next', SLOW, async () => {
    const long = 'word '.repeat(12_000)
    cli.workspace.write('a.pdf', pdfOf(['one', long, long, 'four']))
    expect(await reading('a.pdf', { from: 4 })).toMatchObject({
      data: { content: '--- page 4 of 4 ---\nfour\n', from: 4, to: 4, truncated: false },
    })
    expect(await reading('a.pdf')).toMatchObject({ data: { from: 1, to: 2, truncated: true, next: { from: 3 } } })
    expect(await reading('a.pdf', { from: 3 })).toMatchObject({ data: { from: 3, to: 4, truncated: false } })
    for (const range of [{ from: 5 }, { from: 3, to: 2 }])
      expect(await reading('a.pdf', range)).toMatchObject({ error: { code: 'out_of_range' } })
  })

  it('says why one cannot be read, and goes on with others', SLOW, async () => {
    cli.workspace.write('broken.pdf', Buffer.from('%PDF-1.7\nnothing\0that makes sense'))
    cli.workspace.write('locked.pdf', pdfOf(['secret'], LOCKED))
    cli.workspace.write('loop.pdf', pdfOf(['x']).toString('latin1').replace('/Kids [3 0 R]', '/Kids [2 0 R]'))
    const why = (text: string) => ({ error: { code: 'binary', message: expect.stringContaining(text) } })
    expect(await reading('broken.pdf')).toMatchObject(why('cannot be read: Invalid PDF structure'))
    expect(await reading('locked.pdf')).toMatchObject(why('cannot be read: No password given'))
    const circular = expect.stringContaining('[This page cannot be read: Pages tree contains circular reference]')
    expect(await reading('loop.pdf')).toMatchObject({ data: { content: circular } })
    cli.workspace.write('good.pdf', pdfOf(['fine']))
    expect(await reading('good.pdf')).toMatchObject({ data: { content: '--- page 1 of 1 ---\nfine\n' } })
  })

  it('gives up one that is made to take forever, and goes on with others', { timeout: 120_000 }, async () => {
    const content = Buffer.alloc(200_000_000, 'q Q ')
    content.write('BT /F 12 Tf ')
    content.write(' ET ', content.length - 4)
    // As fast as it can be packed, since nothing is said of its size.
    const packed = deflateSync(content, { level: 1, chunkSize: 2 ** 20 })
    const [before = '', after = ''] = pdfOf(['x'])
      .toString('latin1')
      .split(/<< \/Length \d+ >>\nstream[^]*endstream/)
    const stream = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed.toString('latin1')}\nendstream`
    cli.workspace.write('bomb.pdf', Buffer.from(before + stream + after, 'latin1'))
    expect(await reading('bomb.pdf')).toMatchObject({
      error: { code: 'binary', message: 'bomb.pdf is a PDF that cannot be read: parsing took longer than 5 s' },
    })
    cli.workspace.write('good.pdf', pdfOf(['fine']))
    expect(await reading('good.pdf')).toMatchObject({ data: { content: '--- page 1 of 1 ---\nfine\n' } })
  })

  it('is shown page by page on a command line, with the command for the rest', SLOW, async () => {
    const long = 'word '.repeat(12_000)
    cli.workspace.write('a.pdf', pdfOf(['one', long, long]))
    const { out } = await cli.run(['read', 'a.pdf'])
    expect(out).toContain('\n--- page 1 of 3 ---\none\n')
    expect(out).toContain('toolwright read a.pdf --from 3')
  })
})

/** An encryption whose password is not the empty one. */
const LOCKED = `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (${'o'.repeat(32)}) /U (${'u'.repeat(32)}) >>`
