import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fetched, sent, type Answer } from '../../../tests/web/fetched.ts'

describe('bodies', () => {
  it('CA-13: cuts while it reads, with a warning and the size that was announced', async () => {
    let written = 0
    const endless: Answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 5_000_000_000 })
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a'))) written += 65_536
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }
    const page = await fetched({ '*': endless }, { url: 'https://a.test/', maxBytes: 100_000, timeoutMs: 20_000 })
    expect(page).toMatchObject({ truncated: true, bytes: 100_000, announcedBytes: 5_000_000_000 })
    expect(page.warnings).toEqual(['Cut at 100000 bytes; the server announced 5000000000'])
    expect(page.content).toHaveLength(100_000)
    expect(written).toBeLessThan(30_000_000)
  })

  it('keeps what came before a connection broke', async () => {
    const broken: Answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 100 })
      response.write('half', () => setTimeout(() => response.destroy(), 50))
    }
    expect(await fetched({ '*': broken }, { url: 'http://a.test/' })).toMatchObject({
      content: 'half',
      truncated: true,
      warnings: ['The connection ended after 4 bytes; the server announced 100'],
    })
  })

  const text = 'word '.repeat(1_000)
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
  ])('unpacks %s', async (coding, body) => {
    const page = await fetched({ '*': sent(body, { 'content-encoding': coding }) }, { url: 'http://a.test/' })
    expect(page.content).toBe(text)
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['gzip, gzip', (bytes: Buffer) => gzipSync(gzipSync(bytes))],
  ])('does not unpack a bomb of %s beyond the limit', async (coding, pack) => {
    const bomb = pack(Buffer.alloc(50_000_000))
    const page = await fetched(
      { '*': sent(bomb, { 'content-encoding': coding }) },
      { url: 'http://a.test/', maxBytes: 1_000, timeoutMs: 20_000 },
    )
    expect(page).toMatchObject({ truncated: true, bytes: 1_000 })
  })

  it.each([
    ['gzip', Buffer.from('no gzip at all')],
    ['lzma', Buffer.from('x')],
    ['gzip, gzip, gzip', gzipSync('x')],
  ])('says so where %s cannot be unpacked', async (coding, body) => {
    await expect(
      fetched({ '*': sent(body, { 'content-encoding': coding }) }, { url: 'http://a.test/' }),
    ).rejects.toMatchObject({ code: 'io' })
  })

  it.each([
    ['text/plain; charset=iso-8859-1', Buffer.from('caf\xe9', 'latin1'), 'windows-1252', 'café'],
    ['text/plain; charset="UTF-16LE"', Buffer.from('café', 'utf16le'), 'utf-16le', 'café'],
    ['text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'shift_jis', '日本'],
    ['text/plain', Buffer.from('\ufeffcafé', 'utf16le'), 'utf-16le', 'café'],
    ['text/html; charset=latin1', Buffer.from('\ufeffcafé'), 'utf-8', 'café'],
    ['text/html', Buffer.from('<meta charset="iso-8859-2"><p>\xb1', 'latin1'), 'iso-8859-2', 'ą'],
    ['text/html', Buffer.from('<p>caf\xe9', 'latin1'), 'windows-1252', 'café'],
    [
      'application/xml',
      Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>', 'latin1'),
      'windows-1252',
      '<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>',
    ],
    ['application/octet-stream', Buffer.from('plain after all'), 'utf-8', 'plain after all'],
    ['', Buffer.from('<!doctype html><p>page'), 'utf-8', 'page'],
  ])('reads %s %#', async (type, body, encoding, content) => {
    const page = await fetched({ '*': sent(body, { 'content-type': type }) }, { url: 'http://a.test/' })
    expect(page).toMatchObject({ encoding, content })
  })

  it('says which charset it does not know, and does not end in half a character', async () => {
    const page = await fetched(
      { '*': sent('é€', { 'content-type': 'text/plain; charset=klingon' }) },
      { url: 'http://a.test/', maxBytes: 4 },
    )
    expect(page).toMatchObject({ content: 'é', truncated: true })
    expect(page.warnings.at(-1)).toBe("The charset 'klingon' is not known; read as utf-8")
  })

  it('gives bytes that are no text as base64 where the body is asked for raw, and else says what they are', async () => {
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255])
    const pages = { '*': sent(picture, { 'content-type': 'image/png' }) }
    expect(await fetched(pages, { url: 'http://a.test/', as: 'raw' })).toMatchObject({
      encoding: 'base64',
      content: picture.toString('base64'),
    })
    await expect(fetched(pages, { url: 'http://a.test/' })).rejects.toMatchObject({
      code: 'binary',
      message: 'http://a.test gave image/png (8 bytes), not text',
    })
  })
})
