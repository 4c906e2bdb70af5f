import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace()
})
afterEach(() => workspace.remove())

async function textsOf(input: object): Promise<readonly string[]> {
  const kit = await workspace.open()
  const { outcome } = await kit.run('grep', input)
  expect(outcome).toMatchObject({ ok: true })
  return Object(outcome.ok && outcome.data)
    .matches.map(Object)
    .map(({ text }: Record<string, string>) => text)
}

const [BEGINNING, END] = ['[... omitted beginning of long line] ', ' [... omitted end of long line]']
const x = (times: number): string => 'x'.repeat(times)

describe('grep shows a long line', () => {
  it.each([
    ['far from both ends', `${x(5_000)}needle${x(5_000)}`, `${BEGINNING}${x(200)}needle${x(794)}${END}`],
    ['near its end', `${x(5_000)}needle${x(10)}`, `${BEGINNING}${x(984)}needle${x(10)}`],
    ['near its beginning', `${x(700)}needle${x(5_000)}`, `${x(700)}needle${x(294)}${END}`],
    ['twice', `${x(3_000)}needle${x(900)}needle${x(900)}`, `${BEGINNING}${x(200)}needle${x(794)}${END}`],
    [
      'between characters of several bytes',
      `${'é'.repeat(2_000)}needle${'é'.repeat(2_000)}`,
      `${BEGINNING}${'é'.repeat(100)}needle${'é'.repeat(894)}${END}`,
    ],
  ])('around its first match: %s', async (_where, line, text) => {
    workspace.write('a.min.js', `first\n${line}\nshort needle\n`)
    expect(await textsOf({ pattern: 'needle' })).toEqual([text, 'short needle'])
    expect(await textsOf({ pattern: 'NEEDLE', ignoreCase: true, path: 'a.min.js' })).toEqual([text, 'short needle'])
    expect(await textsOf({ pattern: 'ne+dle', regex: true, before: 1, limit: 1 })).toEqual([text])
  })

  it('from its beginning where it has no match: inverted', async () => {
    workspace.write('a.txt', `${x(5_000)}\nneedle\n`)
    expect(await textsOf({ pattern: 'needle', invert: true })).toEqual([`${x(1_000)}${END}`])
  })

  it('around the match of a search across lines', async () => {
    workspace.write('a.txt', `${x(5_000)} needle  end ${x(5_000)}\n`)
    expect(await textsOf({ pattern: 'needle\\s+end', regex: true, multiline: true })).toEqual([
      `${BEGINNING}${x(199)} needle  end ${x(788)}${END}`,
    ])
  })

  it('as it is staged', async () => {
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    await kit.transaction(async session => {
      await session.run('write', { path: 'new.txt', content: `${x(5_000)}needle\n`, expect: 'absent' })
      const { outcome } = await session.run('grep', { pattern: 'needle' })
      expect(outcome).toMatchObject({ data: { matches: [{ text: `${BEGINNING}${x(994)}needle` }] } })
    })
  })
})
