import { statSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encode, markOf, type Encoding } from '../encoding.ts'
import { replaceText } from './replace-text.ts'
import { errorOf, workspaceWith } from '../../../../tests/text/workspace-for-tests.ts'

const long = process.env['TOOLWRIGHT_LONG'] === '1'

const ENCODINGS: readonly Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'latin-1', 'ascii']
const MODES = [0o644, 0o600, 0o755, 0o444]
const ENDS = {
  lf: ['alpha 1\n', 'beta 2\n', 'gamma 3\n', 'delta 4\n'],
  crlf: ['alpha 1\r\n', 'beta 2\r\n', 'gamma 3\r\n', 'delta 4\r\n'],
  mixed: ['alpha 1\r\n', 'beta 2\n', 'gamma 3\r\n', 'delta 4\n'],
  'cr inside': ['al\rpha 1\n', 'beta 2\n', 'gam\rma\r 3\n', 'delta\r\r 4\n'],
  'none at the end': ['alpha 1\n', 'beta 2\n', 'gamma 3\n', 'delta 4'],
  'crlf, none at the end': ['alpha 1\r\n', 'beta 2\r\n', 'gamma 3\r\n', 'delta 4'],
}

/** Independent of the engine: finds the bytes of the old text in the file's bytes and puts the new ones there. */
function spliceBytes(file: Buffer, old: Buffer, now: Buffer, width: number): Buffer {
  let at = file.indexOf(old)
  while (at % width !== 0) at = file.indexOf(old, at + 1)
  if (at === -1) throw new Error('The oracle did not find the text')
  return Buffer.concat([file.subarray(0, at), now, file.subarray(at + old.length)])
}

/** Encoded by hand, byte by byte, so that the engine's own encoder is not what checks it. */
function byHand(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(new TextEncoder().encode(text))
  if (!encoding.startsWith('utf-16')) return Buffer.from(Array.from(text, c => c.charCodeAt(0)))
  const bytes: number[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    bytes.push(...(encoding === 'utf-16le' ? [code & 255, code >> 8] : [code >> 8, code & 255]))
  }
  return Buffer.from(bytes)
}

describe('the grid of encodings, line ends, marks and modes', () => {
  for (const encoding of ENCODINGS)
    for (const [name, lines] of Object.entries(ENDS))
      for (const bom of encoding.startsWith('utf') ? [true, false] : [false])
        it(`${encoding}, ${name}, ${bom ? 'with' : 'without'} a mark: only the bytes asked for change`, () => {
          const extra = encoding === 'ascii' ? '' : encoding === 'latin-1' ? 'é ÿ ×' : 'é 😀 \u2028 € \ufeff'
          const text = lines.join('').replace('gamma', `gamma ${extra}`)
          const bytes = Buffer.concat([bom ? markOf(encoding) : Buffer.alloc(0), byHand(text, encoding)])
          const end = text.includes('beta 2\r\n') ? '\r\n' : '\n'
          const letter = encoding === 'ascii' ? 'e' : 'é'
          // [old, new as the caller gives them; what they are in this file]
          const edits: [string, string, string, string][] = [
            ['beta 2', `beta ${letter}`, 'beta 2', `beta ${letter}`],
            ['beta 2\n', '', `beta 2${end}`, ''],
            ['beta 2', 'beta 2\nbeta 3', 'beta 2', `beta 2${end}beta 3`],
            ['beta 2\ngam', 'b\nc\ngam', `beta 2${end}gam`, `b${end}c${end}gam`],
            ['4', letter, '4', letter],
            ['al', 'AL', 'al', 'AL'],
          ]
          const asked = encoding.startsWith('utf-16') ? 'utf-16' : encoding === 'latin-1' ? 'latin-1' : undefined
          for (const mode of MODES)
            for (const [old, now, realOld, realNow] of edits) {
              if (encoding === 'utf-16be' && !bom) continue
              using place = workspaceWith({ f: bytes }, mode)
              const done = replaceText(place.ws, 'f', [{ old, new: now }], {
                onAmbiguous: 'first',
                ...(asked && !bom && { encoding: asked }),
              })
              const width = encoding.startsWith('utf-16') ? 2 : 1
              const wanted = spliceBytes(bytes, byHand(realOld, encoding), byHand(realNow, encoding), width)
              const { bytes: after, mode: kept } = place.ws.read('f')
              expect(after.equals(wanted)).toBe(true)
              expect(kept).toBe(mode)
              expect(done.bytes).toBe(after.length)
              expect(statSync(place.onDisk('f')).mode & 0o777).toBe(mode)
            }
        })
})

describe('any text, any edit', () => {
  const unit = fc.constantFrom('a', 'b', '\n', '\r\n', '\r', ' ', '\t', 'é', '😀', '\ufeff', '"', '\u201c')
  const text = fc.array(unit, { maxLength: 40 }).map(units => units.join(''))

  it('changes the one place that the old text names exactly, and no byte besides', () => {
    fc.assert(
      fc.property(
        text,
        text,
        text,
        text,
        fc.constantFrom(...ENCODINGS.slice(0, 3)),
        fc.boolean(),
        (head, old, tail, now, encoding, bom) => {
          fc.pre(old !== '' && old !== now)
          const whole = head + old + tail
          const marked = bom || encoding !== 'utf-8'
          // A mark of the content itself at the very start would be taken for the file's.
          fc.pre(marked || !whole.startsWith('\ufeff'))
          const mark = marked ? markOf(encoding) : Buffer.alloc(0)
          const file = Buffer.concat([mark, encode(whole, encoding)])
          using place = workspaceWith({ f: file })
          const unique = whole.indexOf(old) === whole.lastIndexOf(old)
          if (!unique) {
            const error = errorOf(() => replaceText(place.ws, 'f', [{ old, new: now }], { onAmbiguous: 'refuse' }))
            expect(['ambiguous', 'no_match']).toContain(error.code)
            return
          }
          // Carriage returns on either side of the edit mean: exactly as given.
          fc.pre(old.includes('\r') || now.includes('\r') || !now.includes('\n') || !whole.includes('\r'))
          fc.pre(!(old.startsWith('\n') && head.endsWith('\r')))
          replaceText(place.ws, 'f', [{ old, new: now }], { onAmbiguous: 'refuse' })
          const wanted = Buffer.concat([mark, encode(head, encoding), encode(now, encoding), encode(tail, encoding)])
          expect(place.ws.read('f').bytes.equals(wanted)).toBe(true)
        },
      ),
      { numRuns: long ? 20_000 : 400 },
    )
  })

  it('changes lines that match but for blanks, and leaves every other line byte for byte', () => {
    const word = fc.constantFrom('one', 'two()', 'if x:', 'say "hi"', '}', 'é')
    const line = fc.tuple(fc.constantFrom('', '  ', '    ', '\t'), word, fc.nat(99), fc.constantFrom('', ' ', '\t '))
    const end = fc.constantFrom('\n', '\r\n')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, end), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(3),
        (rows, seed, more) => {
          const lines = rows.map(
            ([[indent, body, number, blanks], ending]) => `${indent}${body} ${number}${blanks}${ending}`,
          )
          const first = seed % lines.length
          const last = Math.min(first + more, lines.length - 1)
          const old = lines
            .slice(first, last + 1)
            .map(one => one.trim().replaceAll('"', '\u201d'))
            .join('\n')
          const now = `${old} // changed`
          using place = workspaceWith({ f: lines.join('') })
          const bytes = Buffer.from(lines.join(''))
          try {
            replaceText(place.ws, 'f', [{ old, new: now, match: 'lines' }], { onAmbiguous: 'refuse' })
          } catch (error) {
            expect(
              errorOf(() => {
                throw error
              }).code,
            ).toMatch(/^(?:ambiguous|no_match)$/)
            expect(place.ws.read('f').bytes.equals(bytes)).toBe(true)
            return
          }
          const after = place.ws.read('f').bytes
          // Only the last line of the place was asked to change.
          const keptHead = Buffer.byteLength(lines.slice(0, last).join(''))
          const keptTail = Buffer.byteLength(lines.slice(last + 1).join(''))
          expect(after.subarray(0, keptHead).equals(bytes.subarray(0, keptHead))).toBe(true)
          expect(after.subarray(after.length - keptTail).equals(bytes.subarray(bytes.length - keptTail))).toBe(true)
          expect(after.includes('// changed')).toBe(true)
        },
      ),
      { numRuns: long ? 20_000 : 400 },
    )
  })
})
