import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chain } from './chain.ts'
import { envProvider } from './env.ts'
import { fileProvider } from './file.ts'

let base = ''
let root = ''
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'vault-'))
  root = join(base, 'ws')
  mkdirSync(root)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const put = (path: string, text: string, mode = 0o600): string => {
  const file = join(base, path)
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

describe('envProvider', () => {
  it('SE-0018: gives the listed names and nothing else of the environment', async () => {
    const env = { TOKEN: 'value', PATH: '/bin' }
    const vault = envProvider(['TOKEN', 'MISSING', '__proto__', 'constructor'], env)
    expect(await vault.get('TOKEN')).toBe('value')
    for (const key of ['PATH', 'MISSING', '__proto__', 'constructor', 'toString'])
      expect(await vault.get(key)).toBeUndefined()
    expect(await vault.keys()).toEqual(['TOKEN'])
  })
})

describe('fileProvider', () => {
  it('reads KEY=VALUE lines', async () => {
    const text = [
      '# comment',
      '',
      'A=plain value # comment',
      "export B='single \\n #'",
      'C="two\\nlines \\"q\\""',
      'D=',
      'E=a=b#c',
    ].join('\r\n')
    const vault = fileProvider(put('s.env', text), root)
    expect(await Promise.all(['A', 'B', 'C', 'D', 'E', 'F'].map(key => vault.get(key)))).toEqual([
      'plain value',
      'single \\n #',
      'two\nlines "q"',
      '',
      'a=b#c',
      undefined,
    ])
    expect(await vault.keys()).toEqual(['A', 'B', 'C', 'D', 'E'])
  })

  it('reads a JSON object of strings', async () => {
    const vault = fileProvider(put('s.json', '{"A": "x\\ny", "__proto__": "p"}'), root)
    expect(await vault.get('A')).toBe('x\ny')
    expect(await vault.get('constructor')).toBeUndefined()
    expect(await vault.keys()).toEqual(['A', '__proto__'])
  })

  it('reads again when the file changed', async () => {
    const file = put('s.env', 'A=one')
    const vault = fileProvider(file, root)
    expect(await vault.get('A')).toBe('one')
    writeFileSync(file, 'A=three')
    expect(await vault.get('A')).toBe('three')
  })

  it.each([0o644, 0o660, 0o604, 0o700])('refuses mode %o and says what to run', async mode => {
    const file = put('s.env', 'A=one', mode)
    await expect(fileProvider(file, root).get('A')).rejects.toMatchObject({
      code: 'denied',
      hint: `Run: chmod 600 ${file}`,
    })
  })

  it('refuses a file inside the workspace, and a link that leads there', async () => {
    const inside = put('ws/s.env', 'A=one')
    symlinkSync(inside, join(base, 'link.env'))
    symlinkSync(root, join(base, 'alias'))
    for (const path of [inside, join(base, 'link.env'), join(base, 'alias', 's.env')])
      await expect(fileProvider(path, root).get('A')).rejects.toMatchObject({ code: 'denied' })
    await expect(fileProvider(inside, join(base, 'alias')).get('A')).rejects.toMatchObject({ code: 'denied' })
  })

  it('follows a link from the workspace to a file outside', async () => {
    symlinkSync(put('s.env', 'A=one'), join(root, 's.env'))
    expect(await fileProvider(join(root, 's.env'), root).get('A')).toBe('one')
  })

  it.each(['A=one\nsecretvalue', '{"A": secretvalue', '{"A": 5}', '["secretvalue"]'])(
    'says where %j is wrong without repeating it',
    async text => {
      const refused = fileProvider(put('s.env', text), root).get('A')
      await expect(refused).rejects.toMatchObject({ code: 'invalid_input' })
      await expect(refused).rejects.not.toThrow('secretvalue')
    },
  )

  it('names a file that is not there, and refuses a directory', async () => {
    await expect(fileProvider(join(base, 'none'), root).get('A')).rejects.toMatchObject({ code: 'not_found' })
    mkdirSync(join(base, 'dir'), { mode: 0o600 })
    await expect(fileProvider(join(base, 'dir'), root).get('A')).rejects.toMatchObject({ code: 'not_a_file' })
  })
})

describe('chain', () => {
  it('asks one after the other, and lists every key once', async () => {
    const vault = chain(envProvider(['A'], { A: 'env' }), fileProvider(put('s.env', 'A=file\nB=file'), root), {
      get: async key => (key === 'C' ? 'asked' : undefined),
    })
    expect(await Promise.all(['A', 'B', 'C', 'D'].map(key => vault.get(key)))).toEqual([
      'env',
      'file',
      'asked',
      undefined,
    ])
    expect(await vault.keys()).toEqual(['A', 'B'])
  })
})
