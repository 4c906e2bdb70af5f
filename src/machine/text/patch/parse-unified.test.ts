import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../../../tests/text/workspace-for-tests.ts'
import { ToolError } from '../../../kernel/error.ts'
import { parsePatch } from './parse-patch.ts'
import { processorMs } from '../../../../tests/processor-time.ts'

const hunk = '@@ -1 +1 @@\n-a\n+b\n'
const names = (diff: string) => parsePatch(diff).map(({ kind, from, to }) => ({ kind, from, to }))
const ruleOf = (diff: string) => errorOf(() => parsePatch(diff)).details?.['rule']

describe('names', () => {
  it('reads what git and GNU diff write', () => {
    expect(names(`--- a/f.txt\n+++ b/f.txt\n${hunk}`)).toEqual([{ kind: 'change', from: 'f.txt', to: 'f.txt' }])
    expect(
      names(`--- old/x y.c\t2024-01-02 03:04:05.6 +0100\n+++ new/x y.c\t2024-01-02 03:04:06.7 +0100\n${hunk}`),
    ).toEqual([{ kind: 'change', from: 'x y.c', to: 'x y.c' }])
    expect(names(`--- f.c.orig 2024-01-02\n+++ f.c 2024-01-02\n${hunk}`)).toEqual([
      { kind: 'change', from: 'f.c', to: 'f.c' },
    ])
  })

  it('reads names in quotes, with escapes and bytes that are not UTF-8', () => {
    const quoted = '"a/\\303\\274\\t\\"q\\\\.txt"'
    const diff = `diff --git ${quoted} ${quoted.replace('a/', 'b/')}\n--- ${quoted}\n+++ ${quoted.replace('a/', 'b/')}\n${hunk}`
    expect(names(diff)).toEqual([{ kind: 'change', from: 'ü\t"q\\.txt', to: 'ü\t"q\\.txt' }])
    expect(names(`--- "a/\\351"\n+++ "b/\\351"\n${hunk}`)[0]?.to).toBe('\udce9')
  })

  it('knows a new and a deleted file by /dev/null and by the time of the epoch', () => {
    expect(names('--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n')).toEqual([{ kind: 'create', to: 'n' }])
    expect(names('--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n')).toEqual([{ kind: 'delete', from: 'n' }])
    const epoch = '1970-01-01 01:00:00.000000000 +0100'
    const now = '2024-01-02 03:04:05.000000000 +0100'
    expect(names(`--- a/n\t${epoch}\n+++ b/n\t${now}\n@@ -0,0 +1 @@\n+x\n`)).toEqual([{ kind: 'create', to: 'n' }])
    expect(names(`--- a/n\t${now}\n+++ b/n\t${epoch}\n@@ -1 +0,0 @@\n-x\n`)).toEqual([{ kind: 'delete', from: 'n' }])
  })

  it('reads rename, copy and mode headers', () => {
    const diff =
      'diff --git a/x b/y z\nsimilarity index 100%\nrename from x\nrename to y z\n' +
      'diff --git a/c b/d\nsimilarity index 100%\ncopy from c\ncopy to d\n' +
      'diff --git a/m b/m\nold mode 100644\nnew mode 100755\n'
    expect(names(diff)).toEqual([
      { kind: 'rename', from: 'x', to: 'y z' },
      { kind: 'copy', from: 'c', to: 'd' },
      { kind: 'change', from: 'm', to: 'm' },
    ])
    expect(parsePatch(diff)[2]).toMatchObject({ oldMode: 0o100644, newMode: 0o100755, hunks: [] })
  })

  it('finds every section, whatever stands between them', () => {
    const prose = 'Subject: a change\n\nIndex: f\ndiff -r 1 2\n'
    const diff = `${prose}--- a/f\n+++ b/f\n${hunk}${'\n'.repeat(500)}--- a/package.json\n+++ b/package.json\n${hunk}-- \n2.39.5\n`
    expect(names(diff).map(file => file.to)).toEqual(['f', 'package.json'])
  })

  it('takes names without a directory as they are, and drops what `strip` says', () => {
    expect(names(`--- f.txt\n+++ f.txt\n${hunk}`)[0]?.to).toBe('f.txt')
    expect(parsePatch(`--- src/f\n+++ src/f\n${hunk}`, { strip: 0 })[0]?.to).toBe('src/f')
    expect(parsePatch(`--- x/src/f\n+++ y/src/f\n${hunk}`, { strip: 2 })[0]?.to).toBe('f')
  })
})

describe('hunks', () => {
  it('reads omitted counts, lost blanks and missing line ends', () => {
    const [file] = parsePatch('--- a/f\n+++ b/f\n@@ -3,2 +3 @@ of some function\n\n-b\n\\ No newline at end of file\n')
    expect(file?.hunks).toMatchObject([{ oldStart: 3, oldLines: 2, newStart: 3, newLines: 1, lines: [' \n', '-b'] }])
  })

  it('says on which line of the patch reading ended', () => {
    const error = errorOf(() => parsePatch('--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n a\n-b\n'))
    expect(error).toMatchObject({ code: 'invalid_input', details: { line: 5 } })
    expect(error.message).toContain('Line 5 of the patch')
    expect(errorOf(() => parsePatch('--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c')).message).toContain('Line 6')
  })

  it('marks a patch without context that cannot be about whole files', () => {
    const placeOf = (header: string, body: string) =>
      parsePatch(`--- a/f\n+++ b/f\n${header}\n${body}`)[0]?.hunks[0]?.place
    expect(placeOf('@@ -1,0 +2 @@', '+x\n')).toBe('bare')
    expect(placeOf('@@ -3 +3 @@', '-x\n+y\n')).toBe('bare')
    expect(placeOf('@@ -1 +1 @@', '-x\n+y\n')).toBe('line')
    expect(placeOf('@@ -3,2 +3,2 @@', '-x\n+y\n z\n')).toBe('line')
  })
})

describe('what is refused though git would take it', () => {
  const change = (from: string, to: string) => `--- ${from}\n+++ ${to}\n${hunk}`

  it.each([
    ['path', change('a/../x', 'b/../x')],
    ['path', change('a/x/../../y', 'b/x/../../y')],
    ['path', change('/etc/passwd', '/etc/passwd')],
    ['path', change('"/etc/passwd"', '"/etc/passwd"')],
    ['path', change('"a/x\\000y"', '"b/x\\000y"')],
    ['path', change('a//x/./y', 'b//x/./y')],
    ['path', 'diff --git a/../o b/s\nsimilarity index 100%\ncopy from ../o\ncopy to s\n'],
    ['mode', 'diff --git a/s b/s\nnew file mode 160000\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+x\n'],
    ['mode', 'diff --git a/s b/s\nnew file mode 120000\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+x\n'],
    ['mode', 'diff --git a/s b/s\nold mode 100644\nnew mode 104755\n'],
    ['mode', `diff --git a/s b/s\nindex 1..2 120000\n--- a/s\n+++ b/s\n${hunk}`],
    ['binary', 'diff --git a/b b/b\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZQz00062\n'],
    ['binary', 'diff --git a/b b/b\nindex 1..2 100644\nBinary files a/b and b/b differ\n'],
    ['names', change('a/x', 'b/y')],
    ['names', `diff --git a/x b/x\n--- a/y\n+++ b/y\n${hunk}`],
    ['names', `diff --git a/x b/y\n--- a/x\n+++ b/y\n${hunk}`],
    ['names', 'diff --git a/x b/y\nsimilarity index 100%\nrename from p\nrename to q\n'],
    ['counts', '--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n+b\n+c\n'],
    ['header', '--- a/x\n+++ b/x\n@@ @@\n-a\n+b\n'],
    ['header', `diff --git a/x b/x\n\n--- a/y\n+++ b/y\n${hunk}`],
    ['number', '--- a/x\n+++ b/x\n@@ -99999999999 +1 @@\n-a\n+b\n'],
    ['no-newline', '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n\\ No newline at end of file\n c\n'],
    ['forms', `--- a/x\n+++ b/x\n${hunk}<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n`],
  ])('%s: %j', (rule, diff) => {
    expect(ruleOf(diff)).toBe(rule)
  })
})

describe('hostile input', () => {
  it('gives a ToolError or files for any text, in time that grows with its length', () => {
    const piece = fc.constantFrom(
      'diff --git a/x b/x\n', '--- a/x\n', '+++ b/x\n', '@@ -1 +1 @@\n', '@@ -1,3 +1,9 @@\n', '-a\n', '+b\n', ' c\n', '\n',
      'rename from x\n', 'rename to y\n', 'new file mode 100644\n', '\\ No newline at end of file\n', 'GIT binary patch\n',
      '*** Begin Patch\n', '*** Update File: x\n', '*** End Patch\n', '<<<<<<< SEARCH\n', '=======\n', '>>>>>>> REPLACE\n', '"', 'x',
    ) // prettier-ignore
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
        try {
          expect(parsePatch(pieces.join('')).length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError)
        }
      }),
      { numRuns: process.env['TOOLWRIGHT_LONG'] === '1' ? 20_000 : 500 },
    )
  })

  it('refuses what is too large before it reads it', () => {
    expect(errorOf(() => parsePatch('x'.repeat(21 * 1024 * 1024))).code).toBe('too_large')
    expect(errorOf(() => parsePatch('\n'.repeat(2_100_000))).code).toBe('too_large')
    const many = Array.from({ length: 5001 }, (_, at) => `--- /dev/null\n+++ b/${at}\n@@ -0,0 +1 @@\n+x\n`).join('')
    expect(ruleOf(many)).toBe('size')
  })

  it('does not believe counts', () => {
    const error = errorOf(() => parsePatch('--- a/f\n+++ b/f\n@@ -1,2147483647 +1,2147483647 @@\n a\n-b\n+c\n'))
    expect(error.code).toBe('invalid_input')
  })

  it('is not slowed down by long headers', () => {
    const started = processorMs()
    const diff = `diff --git ${'a/b c '.repeat(2500)}\nnew file mode 100644\n`.repeat(1000)
    expect(errorOf(() => parsePatch(diff)).code).toBe('invalid_input')
    expect(errorOf(() => parsePatch(`--- a/${' '.repeat(1_000_000)}\n+++ b/x\n${hunk}`)).code).toBe('invalid_input')
    expect(processorMs() - started).toBeLessThan(5000)
  })
})

it('finds no patch in garbage', () => {
  expect(errorOf(() => parsePatch('')).code).toBe('invalid_input')
  expect(errorOf(() => parsePatch('1c\n!touch /tmp/x\n.\nw\n')).code).toBe('invalid_input')
  expect(errorOf(() => parsePatch(hunk)).message).toContain('without a file header')
})
