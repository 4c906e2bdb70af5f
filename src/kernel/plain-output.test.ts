import { expect, it } from 'vitest'
import { plainOutput } from './plain-output.ts'

const ESC = '\u001b'

it.each([
  ['colours', `${ESC}[1;31merror${ESC}[0m: no`, 'error: no'],
  ['colours with colons', `${ESC}[38:2::255:0:0mred`, 'red'],
  ['private modes', `${ESC}[?25l${ESC}[?2004hon`, 'on'],
  ['movements and clearing', `a${ESC}[2J${ESC}[1;1H${ESC}[Kb`, 'ab'],
  ['intermediate bytes', `${ESC}[4 qa${ESC}[!pb`, 'ab'],
  ['a sequence that the end cuts', `done${ESC}[38;5`, 'done'],
  ['a lone escape', `a${ESC}`, 'a'],
  ['character sets', `${ESC}(Bplain${ESC})0`, 'plain'],
  ['saving the cursor', `${ESC}7a${ESC}8b${ESC}=`, 'ab'],
  ['a reset', `${ESC}ca`, 'a'],
  ['a title, ended by BEL', `${ESC}]0;a title\u0007text`, 'text'],
  ['a link, ended by ST', `${ESC}]8;;https://example.com${ESC}\\name${ESC}]8;;${ESC}\\`, 'name'],
  ['an image of several lines', `a${ESC}Pq#0;2\n#1~~@@\n${ESC}\\b`, 'ab'],
  ['a text without an end', `${ESC}]0;all of this stays\nand this`, '0;all of this stays\nand this'],
  ['one-byte forms', 'a\u009b31mb\u009d0;t\u009cc', 'abc'],
  ['nested escapes', `${ESC}${ESC}[31mx${ESC}]${ESC}[0my`, 'xy'],
  ['NUL', 'a\0b\0\0', 'a␀b␀␀'],
])('removes or shows %s', (_, text, plain) => {
  expect(plainOutput(text)).toBe(plain)
})

it.each(['', 'plain\n', 'tab\tand\r\nline', 'form\ffeed', 'bell\u0007', 'back\bspace', '[31m', 'ü😀 …', 'C1: \u0085'])(
  'leaves %j',
  text => {
    expect(plainOutput(text)).toBe(text)
  },
)

it('takes time that grows with the text alone', () => {
  const since = performance.now()
  for (const unit of [`${ESC}]`, `${ESC}[1`, `${ESC}P0;`, '\u009d', `${ESC}[0 `]) plainOutput(unit.repeat(200_000))
  expect(performance.now() - since).toBeLessThan(5_000)
})
