import { describe, expect, it } from 'vitest'
import { useCli } from './rig.ts'

const cli = useCli({
  'app/one.py': 'def first():\n    return 1\n\n\ndef second():\n    return first()\n',
  'web/a.ts': 'export function turn() {}\nexport const go = () => turn()\n',
  'web/tsconfig.json': '{ "extends": "./tsconfig.json" }\n',
  'data/Users.kt': 'package data\n\nfun load(id: Int) = id\n\nfun unused() = 1\n\nfun half() = 2\n',
  'lib/tools.rb':
    'module Tools\n  def self.mend\n  end\nend\nmodule Other\n  def self.mend\n  end\n  def self.go\n    Tools.mend\n  end\nend\n',
  'ui/Broken.kt': 'package ui\n\nclass Broken {\n    fun part( = {\n    fun whole() = half()\n}\n',
  'ui/Screen.kt':
    'package ui\n\nimport data.load\n\nclass Screen {\n    fun show() {\n        load(1)\n    }\n}\n\nfun main() {\n    Screen().show()\n}\n',
})

describe('toolwright callers', () => {
  it('prints a tree with the function at its root, and what it rests on', async () => {
    expect(await cli.run(['callers', 'load'])).toEqual({
      code: 0,
      out: 'load  data/Users.kt:3\n└─ Screen.show  ui/Screen.kt:7\n   └─ main  ui/Screen.kt:12\n',
      err: '2 calls (read from the text, no language server)\n',
    })
    expect(await cli.run(['callers', 'load', '--file', 'data/Users.kt', '--depth', '1'])).toMatchObject({
      code: 0,
      out: 'load  data/Users.kt:3\n└─ Screen.show  ui/Screen.kt:7\n',
    })
  })

  it('goes page by page', async () => {
    const first = await cli.run(['callers', 'load', '--limit', '1'])
    expect(first.out).toBe('load  data/Users.kt:3\n└─ Screen.show  ui/Screen.kt:7\n')
    expect(first.err).toContain('Shown up to 1 of 2 calls. There is more: toolwright callers load --limit 1 --skip 1\n')
    const { out, err } = await cli.run(['callers', 'load', '--limit', '1', '--skip', '1'])
    expect(out).toBe('load  data/Users.kt:3\n  ui/Screen.kt:12  main → Screen.show → load\n')
    expect(err).not.toContain('--skip')
  })

  it('reports no callers, the known names for an unknown function, and the usage', async () => {
    expect(await cli.run(['callers', 'unused'])).toMatchObject({ code: 1, out: 'unused  data/Users.kt:5\n' })
    const { code, err } = await cli.run(['callers', 'nothing', '--file', 'data/Users.kt'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('It defines load, unused, half') })
    expect((await cli.run(['callers'])).code).toBe(2)
    expect((await cli.run(['callers', 'load', '--depth', 'x'])).code).toBe(2)
  })

  it('finds what has a name that others have too by what stands around it', async () => {
    expect(await cli.run(['callers', 'Tools::mend'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('tools.rb:9'),
    })
    const { code, err } = await cli.run(['callers', 'mend'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('Tools.mend (line 2), Other.mend (line 6)') })
  })

  it('names the files that do not parse where they may call it', async () => {
    expect(await cli.run(['callers', 'half'])).toEqual({
      code: 1,
      out: 'half  data/Users.kt:7\nunknown:\n  Files that mention it do not parse: ui/Broken.kt\n',
      err: 'No certain callers (read from the text, no language server)\n',
    })
    const { out } = await cli.run(['callers', 'half', '--json'])
    expect(JSON.parse(out)).toMatchObject({ data: { total: 0, partial: true, unread: ['ui/Broken.kt'] } })
  })

  it('says that an answer is provisional while the language server is not there yet, and how to wait for it', async () => {
    expect(await cli.run(['callers', 'first', '--wait', '0'])).toEqual({
      code: 0,
      out: expect.stringContaining('first  app/one.py:1\n└─ second  app/one.py:6\n'),
      err: expect.stringMatching(
        /^1 call \(read from the text, no language server\)\nProvisional: The language server 'pyright' .*--wait SECONDS/,
      ),
    })
    expect((await cli.run(['callers', 'first', '--wait', 'x'])).code).toBe(2)
  })

  it('names a configuration that keeps the language server from answering', async () => {
    expect(await cli.run(['callers', 'turn'])).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining('web/tsconfig.json extends itself: no language server is asked while it does'),
    })
  })

  it('prints the answer of the tool for programs', async () => {
    const { out } = await cli.run(['callers', 'load', '--json'])
    expect(JSON.parse(out)).toMatchObject({ ok: true, data: { basis: 'syntax', total: 2, partial: false } })
  })
})
