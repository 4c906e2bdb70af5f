import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepingCompiled } from '../../scripts/compiled-code.ts'
import { keepCompiled } from '../../scripts/entry-gate.ts'

const ENTRY = `require = (${keepingCompiled})(require, __dirname, process.env.BUILD ?? 'build', 'late')
const { one } = require('./cli/one-1.cjs')
process.stdout.write(one())
process.exitCode = Number(process.argv[2] ?? 0)`

const ONE = "const two = require('./two-2.cjs'); exports.one = () => 'one ' + two.two()"
const TWO = "const one = require('./one-1.cjs'); exports.two = () => 'two ' + typeof one.one + ' ' + __filename"

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'toolwright-compiled-'))
  mkdirSync(join(path, 'cli'))
  writeFileSync(join(path, 'entry.cjs'), ENTRY)
  put('one-1', ONE)
  put('two-2', TWO)
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

const put = (name: string, text: string): void => writeFileSync(join(path, 'cli', `${name}.cjs`), text)
/** Enough code to tell whether it is stored. */
const LONG = `{ ${Array.from({ length: 100 }, (_, at) => `if (exports.one.name === 'n${at}') return ${at}`).join(';')}; return 'long' }`
const EXPECTED = () => `one two function ${join(path, 'cli', 'two-2.cjs')}`

const run = async (...args: readonly string[]): Promise<string> => start({}, ...args)
const start = async (more: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> => {
  const { NODE_OPTIONS: _, ...env } = process.env
  const ended = promisify(execFile)(
    process.execPath,
    [...args.filter(isOption), join(path, 'entry.cjs'), ...args.filter(arg => !isOption(arg))],
    { env: { ...env, ...more } },
  )
  return ended.then(
    ({ stdout }) => stdout,
    (error: unknown) => String(Reflect.get(Object(error), 'stdout')),
  )
}
const isOption = (arg: string): boolean => arg.startsWith('--')

/** The stored files by name, with what tells that one was written anew. */
const stored = (): Readonly<Record<string, number>> =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter(file => file.startsWith('compiled') && statSync(join(path, file)).isFile())
      .map(file => [file.split('/').at(-1), statSync(join(path, file)).ino]),
  )
const pathOf = (name: string): string => {
  const [folder = ''] = readdirSync(join(path, 'compiled'))
  return join(path, 'compiled', folder, name)
}

describe('the files of the command', () => {
  it('are joined by the first run, stored with their code by the second, and then only read', async () => {
    expect(await run()).toBe(EXPECTED())
    const source = statSync(pathOf('build-')).size
    expect(await run()).toBe(EXPECTED())
    expect(statSync(pathOf('build-')).size).toBeGreaterThan(source + 200)
    const files = stored()
    expect(Object.keys(files)).toEqual(['build-'])
    // Nothing else is needed: this is what saves the time.
    rmSync(join(path, 'cli'), { recursive: true })
    expect(await run()).toBe(EXPECTED())
    expect(stored()).toEqual(files)
  })

  it('are those of each command, with the functions that it used', async () => {
    put('one-1', `exports.one = () => process.argv[2] === '0' ? 'short' : long(); const long = () => ${LONG}`)
    for (const command of ['0', '00', '0', '00']) await run(command)
    const [short, long] = ['build-0', 'build-00'].map(name => statSync(pathOf(name)).size)
    expect(long).toBeGreaterThan((short ?? 0) + 1_000)
    const files = stored()
    for (let file = 0; file < 3; file++) await run(`00${file}/../any.txt`)
    expect(stored()).toEqual(files)
  })

  it('that only another input needs are stored alone', async () => {
    put('one-1', "exports.one = () => process.argv[3] === 'more' ? require('./two-2.cjs').two() : 'one'")
    put('two-2', `exports.two = () => ${LONG.replaceAll('one', 'two')}`)
    for (const _ of ['joined', 'stored']) expect(await run('0')).toBe('one')
    for (const _ of ['stored', 'read']) expect(await run('0', 'more')).toBe('long')
    const files = stored()
    expect(Object.keys(files).toSorted()).toEqual(['build-0', 'build-0.two-2.cjs'])
    expect(await run('0', 'more')).toBe('long')
    expect(stored()).toEqual(files)
  })

  it('are joined anew in another build, also if all have the same length', async () => {
    for (const _ of ['joined', 'stored', 'read']) expect(await run()).toBe(EXPECTED())
    put('one-1', "require('./two-2.cjs'); exports.one = () => 'new'".padEnd(ONE.length))
    put('two-2', ' '.repeat(TWO.length))
    expect(await run()).toBe(EXPECTED())
    for (const _ of ['joined', 'stored', 'read']) expect(await start({ BUILD: 'other' })).toBe('new')
  })

  it('run when something of them is used, if they are late', async () => {
    put('one-1', "const { get } = require('./two-2.cjs'); exports.one = () => process.argv[3] ? get() + get() : 'none'")
    put('two-2', "const late = require('./late-3.cjs'); exports.get = () => late.value")
    put('late-3', "process.stdout.write('ran '); exports.value = 'late '")
    for (const _ of ['joined', 'stored', 'read']) {
      expect(await run('0')).toBe('none')
      expect(await run('0', 'use')).toBe('ran late late ')
    }
  })

  it.each([
    ['damaged', () => 'damaged'],
    ['empty', () => ''],
    ['cut in the source', (bytes: Buffer) => bytes.subarray(0, 40)],
    ['cut in the code', (bytes: Buffer) => bytes.subarray(0, -40)],
    ['without a function', () => '2               0 '],
  ])('are compiled anew if what is stored is %s, and stored again', async (_what, damage) => {
    for (const _ of ['joined', 'stored']) await run()
    const whole = statSync(pathOf('build-')).size
    writeFileSync(pathOf('build-'), damage(readFileSync(pathOf('build-'))))
    for (const _ of ['joined', 'stored', 'read']) expect(await run()).toBe(EXPECTED())
    expect(statSync(pathOf('build-')).size).toBe(whole)
  })

  it.each([
    ['a run that failed', '3'],
    ['a process with options', '--no-opt'],
  ])('are not stored after %s', async (_what, arg) => {
    expect(await run(arg)).toBe(EXPECTED())
    expect(stored()).toEqual({})
  })

  it.each([
    ['our files', ''],
    ['files of Node', `${keepCompiled};`],
  ])('lie where no other user can put code, with %s and whatever the umask', async (_what, first) => {
    writeFileSync(join(path, 'entry.cjs'), `process.umask(0);${first}${ENTRY}`)
    for (const _ of ['joined', 'stored', 'read']) expect(await run()).toBe(EXPECTED())
    expect(statSync(join(path, 'compiled')).mode & 0o777).toBe(0o700)
  })

  it('run as well where nothing can be stored', async () => {
    writeFileSync(join(path, 'compiled'), 'no directory')
    expect(await run()).toBe(EXPECTED())
    expect(await run()).toBe(EXPECTED())
  })
})
