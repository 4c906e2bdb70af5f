import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepingCompiled } from '../../scripts/compiled-code.ts'

const ENTRY = `require = (${keepingCompiled})(require, __dirname)
const { one } = require('./cli/one-1.cjs')
process.stdout.write(one())
process.exitCode = Number(process.argv[2] ?? 0)`

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'toolwright-compiled-'))
  mkdirSync(join(path, 'cli'))
  writeFileSync(join(path, 'entry.cjs'), ENTRY)
  put('one-1', "const two = require('./two-2.cjs'); exports.one = () => 'one ' + two.two()")
  put('two-2', "const one = require('./one-1.cjs'); exports.two = () => 'two ' + typeof one.one + ' ' + __filename")
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

const put = (name: string, text: string): void => writeFileSync(join(path, 'cli', `${name}.cjs`), text)
/** Enough code to tell whether it is stored. */
const LONG = `{ ${Array.from({ length: 100 }, (_, at) => `if (exports.one.name === 'n${at}') return ${at}`).join(';')}; return 'long' }`
const EXPECTED = () => `one two function ${join(path, 'cli', 'two-2.cjs')}`

const run = async (...args: readonly string[]): Promise<string> => {
  const { NODE_OPTIONS: _, ...env } = process.env
  const ended = promisify(execFile)(
    process.execPath,
    [...args.filter(isOption), join(path, 'entry.cjs'), ...args.filter(arg => !isOption(arg))],
    { env },
  )
  return ended.then(
    ({ stdout }) => stdout,
    (error: unknown) => String(Reflect.get(Object(error), 'stdout')),
  )
}
const isOption = (arg: string): boolean => arg.startsWith('--')

const stored = (): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter(file => file.startsWith('compiled') && file.endsWith('.cjs'))
    .toSorted()

describe('the files of the command', () => {
  it('are loaded with the code of an earlier run, which is stored once', async () => {
    expect(await run()).toBe(EXPECTED())
    const files = stored()
    expect(files.map(file => file.split('/').at(-1))).toEqual(['one-1.cjs', 'two-2.cjs'])
    const times = files.map(file => statSync(join(path, file)).mtimeMs)
    expect(await run()).toBe(EXPECTED())
    expect(files.map(file => statSync(join(path, file)).mtimeMs)).toEqual(times)
  })

  it('have the functions of each command, whichever ran first, stored once', async () => {
    put('one-1', `exports.one = () => process.argv[2] === '0' ? 'short' : long(); const long = () => ${LONG}`)
    await run('0')
    const [one = ''] = stored()
    const [short, few] = [
      statSync(join(path, one)).size,
      readdirSync(join(path, 'compiled'), { recursive: true }).length,
    ]
    expect(await run('00')).toBe('long')
    const long = statSync(join(path, one))
    expect(long.size).toBeGreaterThan(short + 1_000)
    for (const command of ['0', '00']) await run(command)
    expect(statSync(join(path, one)).mtimeMs).toBe(long.mtimeMs)
    for (let file = 0; file < 3; file++) await run(`00${file}/../any.txt`)
    expect(readdirSync(join(path, 'compiled'), { recursive: true })).toHaveLength(few + 1)
  })

  it('are compiled anew if the stored code is damaged or of another file, and stored again', async () => {
    await run()
    const [one = '', two = ''] = stored()
    writeFileSync(join(path, one), 'damaged')
    put('two-2', "exports.two = () => 'of another length'")
    expect(await run()).toBe('one of another length')
    expect(statSync(join(path, one)).size).toBeGreaterThan(100)
    const written = statSync(join(path, two)).mtimeMs
    expect(await run()).toBe('one of another length')
    expect(statSync(join(path, two)).mtimeMs).toBe(written)
  })

  it.each([
    ['a run that failed', '3'],
    ['a process with options', '--no-opt'],
  ])('are not stored after %s', async (_what, arg) => {
    expect(await run(arg)).toBe(EXPECTED())
    expect(stored()).toEqual([])
  })

  it('run as well where nothing can be stored', async () => {
    writeFileSync(join(path, 'compiled'), 'no directory')
    expect(await run()).toBe(EXPECTED())
    expect(await run()).toBe(EXPECTED())
  })
})
