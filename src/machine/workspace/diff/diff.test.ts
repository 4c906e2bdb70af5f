import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unifiedDiff, type FileDiff, type FileSide } from './diff.ts'
import { lineEdits } from './line-edits.ts'
import { nameToBytes } from '../name.ts'
import { processorMs } from '../../../../tests/processor-time.ts'

const RUNS = process.env['TOOLWRIGHT_LONG'] === '1' ? 2000 : 60
let base: string

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'toolwright-diff-'))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const file = (text: string | Buffer, mode = 0o644): FileSide => ({ bytes: Buffer.from(text), mode })
const place = (path: string): Buffer => Buffer.concat([Buffer.from(`${base}/w/`), nameToBytes(path) ?? Buffer.alloc(0)])

/** What git makes of the diff on a tree that holds the side before. */
function applied(change: FileDiff): FileSide | undefined {
  rmSync(join(base, 'w'), { recursive: true, force: true })
  mkdirSync(join(base, 'w'))
  const { path, from = path, before } = change
  mkdirSync(join(base, 'w', dirname(from)), { recursive: true })
  if (before?.link) symlinkSync(before.bytes.toString(), place(from))
  else if (before !== undefined) {
    writeFileSync(place(from), before.bytes)
    chmodSync(place(from), before.mode)
  }
  const patch = nameToBytes(unifiedDiff(change)) ?? Buffer.alloc(0)
  if (patch.length > 0)
    execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
      cwd: join(base, 'w'),
      input: patch,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: base },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
  if (from !== path) expect(existsSync(place(from))).toBe(false)
  const stats = lstatSync(place(path), { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (stats.isSymbolicLink())
    return { bytes: readlinkSync(place(path), { encoding: 'buffer' }), mode: 0o777, link: true }
  return { bytes: readFileSync(place(path)), mode: stats.mode & 0o777 }
}

describe('unifiedDiff', () => {
  it('SG-19: shows a change as git does', () => {
    const before = file('1\n2\n3\n4\n5\n6\n7\n8\n9\n')
    const after = file('1\n2\n3\n4\nfive\n6\n7\n8\n9\nten')
    expect(unifiedDiff({ path: 'src/a.txt', before, after })).toBe(
      [
        'diff --git a/src/a.txt b/src/a.txt',
        '--- a/src/a.txt',
        '+++ b/src/a.txt',
        '@@ -2,8 +2,9 @@',
        ' 2',
        ' 3',
        ' 4',
        '-5',
        '+five',
        ' 6',
        ' 7',
        ' 8',
        ' 9',
        '+ten',
        '\\ No newline at end of file',
        '',
      ].join('\n'),
    )
  })

  it('shows new, deleted, moved and re-moded files', () => {
    expect(unifiedDiff({ path: 'n', after: file('x\n', 0o755) })).toBe(
      'diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n',
    )
    expect(unifiedDiff({ path: 'n', before: file('x\n') })).toBe(
      'diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
    )
    expect(unifiedDiff({ path: 'b', from: 'a', before: file('x\n'), after: file('x\n') })).toBe(
      'diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n',
    )
    expect(unifiedDiff({ path: 'a', before: file('x'), after: file('x', 0o755) })).toBe(
      'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n',
    )
    expect(unifiedDiff({ path: 'a', before: file('x', 0o600), after: file('x', 0o640) })).toContain(
      'old mode 100600\nnew mode 100640\n',
    )
  })

  it.each([
    ['little endian', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['big endian', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('SG-19: shows the lines of UTF-16 text, %s', (_order, encode) => {
    const [before, after] = [file(encode('eins\nzwei\nž🐎\n')), file(encode('eins\ndrei\nž🐎\n'))]
    const lines = (text: string) => text.split('\n').slice(3)
    expect(lines(unifiedDiff({ path: 'a', before, after }))).toEqual([
      '# UTF-16, shown as text',
      '@@ -1,3 +1,3 @@',
      ' eins',
      '-zwei',
      '+drei',
      ' ž🐎',
      '',
    ])
    expect(lines(unifiedDiff({ path: 'a', before: file('zwei\n'), after: file(encode('drei\n')) }))).toContain('+drei')
    expect(unifiedDiff({ path: 'a', after })).toContain('+drei\n')
    expect(unifiedDiff({ path: 'a', before, after: file('a\0b') })).toContain('differ\n# ')
    const odd = file(Buffer.concat([after.bytes, Buffer.from([0])]))
    expect(unifiedDiff({ path: 'a', before, after: odd })).toContain('differ\n# ')
    const conceal = {
      reach: 10,
      part: (bytes: Buffer, from: number, to: number) =>
        Buffer.from(bytes.subarray(from, to).toString().replaceAll('drei', '[secret]')),
    }
    expect(unifiedDiff({ path: 'a', before, after, conceal })).toContain('+[secret]\n')
  })

  it('says the types and sizes of binary content, and nothing of what is the same', () => {
    expect(unifiedDiff({ path: 'b', before: file('a\0b'), after: file('c\0d') })).toBe(
      'diff --git a/b b/b\nBinary files a/b and b/b differ\n# binary data, 3 bytes -> binary data, 3 bytes\n',
    )
    const png = '\u0089PNG\r\n\u001a\n\0'
    const image = { bytes: Buffer.from(png, 'latin1'), mode: 0o644 }
    expect(unifiedDiff({ path: 'b', after: image })).toMatch(/differ\n# no file -> PNG image, 9 bytes\n$/)
    expect(unifiedDiff({ path: 'b', before: image, after: file('text') })).toMatch(
      /\n# PNG image, 9 bytes -> text, 4 bytes\n$/,
    )
    expect(unifiedDiff({ path: 'b', before: file('a'), after: file('a') })).toBe('')
    expect(unifiedDiff({ path: 'b' })).toBe('')
  })

  it.each([
    'plain',
    'sp ace',
    'tab\there',
    'new\nline',
    'qu"ote',
    'back\\slash',
    'café',
    '日本語',
    'del\u007f',
    'bad\udcff',
    '-rf',
    '\u0001',
    'a/b c/d',
  ])('names %j so that git finds it', path => {
    expect(applied({ path, before: file('one\n'), after: file('two\n') })).toEqual(file('two\n'))
    expect(applied({ path, after: file('two\n') })).toEqual(file('two\n'))
    expect(applied({ path, from: `${path}.old`, before: file('1\n2\n3\n'), after: file('1\n2\n3\n4') })).toEqual(
      file('1\n2\n3\n4'),
    )
  })

  it('is taken by git for empty files, links and links that become files', () => {
    const link: FileSide = { bytes: Buffer.from('target'), mode: 0o777, link: true }
    expect(applied({ path: 'e', after: file('') })).toEqual(file(''))
    expect(applied({ path: 'e', before: file('') })).toBeUndefined()
    expect(applied({ path: 'l', before: link })).toBeUndefined()
    expect(applied({ path: 'm', from: 'l', before: link, after: link })).toEqual(link)
    expect(unifiedDiff({ path: 'l', before: link, after: file('x\n') })).toMatch(
      /deleted file mode 120000[^]*new file mode 100644/,
    )
  })

  it('leads git from any text to any other', () => {
    const line = fc.constantFrom('', 'a', 'b', 'c', 'd\r', ' x', '-y', '+z', '\\ No', 'é', '\udcff')
    const text = fc
      .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
      .map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''))
    const side = fc.option(fc.tuple(text, fc.constantFrom(0o644, 0o755)), { nil: undefined, freq: 8 })
    fc.assert(
      fc.property(side, side, (before, after) => {
        const [a, b] = [before, after].map(
          one => one && { bytes: nameToBytes(one[0]) ?? Buffer.from(one[0]), mode: one[1] },
        )
        if (a === undefined && b === undefined) return
        expect(applied({ path: 'f', before: a, after: b })).toEqual(b)
      }),
      { numRuns: RUNS },
    )
  })

  it('stays correct and quick where the texts share almost nothing', () => {
    const before = Array.from({ length: 40_000 }, (_, at) => `old ${at}`).join('\n')
    const after = Array.from({ length: 40_000 }, (_, at) => (at % 100 === 0 ? `old ${at}` : `new ${at}`)).join('\n')
    const start = processorMs()
    expect(unifiedDiff({ path: 'f', before: file(before), after: file(after) })).toContain('-old 39999')
    expect(processorMs() - start).toBeLessThan(3000)
    expect(applied({ path: 'f', before: file(before), after: file(after) })).toEqual(file(after))
  })
})

describe('lineEdits', () => {
  it('rebuilds the text after from the text before, keeping as much as can be kept', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const rebuilt: string[] = []
        let [old, now, kept] = [0, 0, 0]
        for (const { kind, count } of lineEdits(before, after)) {
          expect(count).toBeGreaterThan(0)
          if (kind === 'keep') rebuilt.push(...before.slice(old, old + count))
          if (kind === 'insert') rebuilt.push(...after.slice(now, now + count))
          if (kind !== 'insert') old += count
          if (kind !== 'delete') now += count
          if (kind === 'keep') kept += count
        }
        expect(rebuilt).toEqual(after)
        expect([old, now, kept]).toEqual([before.length, after.length, longestCommon(before, after)])
      }),
    )
  })
})

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = Array<number>(b.length + 1).fill(0)
  for (const x of a) {
    const next = [0]
    for (const [at, y] of b.entries())
      next.push(x === y ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0))
    row = next
  }
  return row.at(-1) ?? 0
}
