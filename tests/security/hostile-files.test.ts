import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect as connectResident } from '../../src/service/connect.ts'
import { ownBuild } from '../../src/service/own-build.ts'
import { placeOf } from '../../src/service/place.ts'
import { CLI } from '../cli-program.ts'
import { connect, type Answered } from '../mcp/connect.ts'
import { hostileFiles } from './hostile-files.ts'
import { makeWorld } from './world.ts'

const isLong = process.env['TOOLWRIGHT_LONG'] === '1'
/** Of the files that each tool for one file is asked about. */
const EVERY = 8
/** What a call may fail with because of the files; its input is right, and nothing is denied. */
const CODES = ['timeout', 'unavailable', 'no_match', 'too_large', 'binary', 'conflict', 'ambiguous', 'not_found']
/** Those that calls name. */
const NAMED = ['deep-unclosed.ts', 'deep-round.ts', 'deep-square.ts', 'deep-types.ts', 'long-sum.ts']
/** Takes all the time of each process that parses it, as the endless PDF of read-pdf.test.ts does in one. */
const ENDLESS = 'hostile/slow-opened.cpp'
/** Those that start other programs, or read every file once more. */
const SLOW: ReadonlySet<string> = new Set(['references', 'graph', 'refactor', 'effects', 'move', 'delete'])
const SOON = { timeout: 120_000 }

const endingOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

describe('files that are made to bring a parser down', () => {
  const files = hostileFiles()
  const firsts = new Set(new Map([...files.keys()].toReversed().map(path => [endingOf(path), path])).values())
  // A language has nine kinds of files: every eighth file is another kind in each of them.
  const used = [...files].filter(([path], at) => isLong || ((at % 8 === 0 || firsts.has(path)) && path !== ENDLESS))

  it('are at least 100, in every language that is parsed, and some of each are used', () => {
    expect(files.size).toBeGreaterThanOrEqual(100)
    const endings = new Set(used.map(([path]) => endingOf(path)))
    const parsed = ['ts', 'tsx', 'js', 'vue', 'py', 'go', 'rs', 'java', 'kt', 'c', 'cpp', 'cs', 'rb', 'php', 'swift']
    expect(parsed.filter(ending => !endings.has(ending))).toEqual([])
  })

  it('fail alone: every tool answers or names a file, and other calls go on', { timeout: 600_000 }, async () => {
    await using world = makeWorld()
    const put = (path: string, text: string): void => {
      mkdirSync(dirname(join(world.root, path)), { recursive: true })
      writeFileSync(join(world.root, path), text)
    }
    for (const [path, text] of used) put(path, text)
    for (const name of NAMED) put(`hostile/${name}`, files.get(`hostile/${name}`) ?? '')
    put('good.ts', 'export function go() { return stop() }\nexport function stop() {}\n')
    world.configure(JSON.stringify({ policy: { defaults: { write: 'allow', create: 'allow' } }, resident: {} }))
    await using server = await connect({ path: world.root, env: world.env }, { program: CLI })
    const { call, pid, errors } = server
    const kit = await world.open({ resident: 'off' })
    const answered: string[] = []
    const asked = async (name: string, input: object): Promise<Answered> => {
      const answer = await call(name, input, SOON)
      if (answer.isError) expect(CODES, `${name}: ${answer.text}`).toContain(answer.structured.error.code)
      answered.push(answer.structured.meta.id)
      return answer
    }

    /** Half a character is no text that a file could hold. */
    const refused = async (name: string, input: object): Promise<void> => {
      const answer = await call(name, input, SOON)
      expect(answer.structured.error.code).toBe('invalid_input')
      answered.push(answer.structured.meta.id)
    }

    // While all of it is parsed for the first time, reading goes on.
    const index = asked('index', { by: 'symbol', value: 'go' })
    for (let turn = 0; turn < 5; turn++) expect((await asked('read', { path: 'good.ts' })).isError).toBe(false)
    const found = await index
    expect(JSON.stringify(found.structured)).toMatch(/good\.ts|"partial":true/)

    const resident = async (): Promise<number | undefined> => {
      const line = await connectResident(placeOf(kit.state.path, ownBuild()), ownBuild())
      line?.close()
      return line?.pid
    }
    await expect.poll(resident, { timeout: 60_000 }).toBeGreaterThan(0)
    const before = await resident()

    const some = used.filter((_, at) => at % (isLong ? 1 : EVERY) === 0)
    for (const [path, text] of some) {
      const [context, symbols, read] = await Promise.all([
        asked('context', { path, line: 1, around: 0 }),
        asked('symbols', { query: '', path, limit: 5 }),
        asked('read', { path: 'good.ts' }),
      ])
      expect(read.isError).toBe(false)
      // What is too long for an answer is shown from its beginning.
      expect(JSON.stringify([context.text, context.structured])).toContain(path)
      expect(JSON.stringify([symbols.text, symbols.structured])).toContain('symbols')
      if (text.length >= 100_000) continue
      const copy = { path: `copy/${path}`, content: text }
      if (text.isWellFormed()) await asked('write', copy)
      else await refused('write', copy)
    }

    const rest: readonly (readonly [string, object])[] = [
      ['index', { by: 'status' }],
      ['index', { by: 'all', limit: 5 }],
      ['symbols', { query: 'deepRound' }],
      ['callers', { name: 'stop' }],
      ['callers', { name: 'deepRound' }],
      ['references', { name: 'stop', path: 'good.ts', kind: 'references' }],
      ['graph', { query: 'MATCH (f:Function) RETURN f.name LIMIT 3' }],
      ['refactor', { kind: 'rename', symbol: 'stop', path: 'good.ts', to: 'halt' }],
      ['refactor', { kind: 'rename', symbol: 'deepSquare', path: 'hostile/deep-square.ts', to: 'other' }],
      ['edit', { path: 'hostile/deep-round.ts', edits: [{ old: 'deepRound', new: 'deepRounder' }] }],
      ['grep', { pattern: 'deepRound', limit: 5 }],
      ['find', { glob: 'hostile/*.ts', limit: 5 }],
      ['list', { path: 'hostile' }],
      ['effects', {}],
      ['move', { from: 'hostile/deep-types.ts', to: 'hostile/moved.ts' }],
      ['delete', { path: 'hostile/long-sum.ts' }],
    ]
    const nested = await call('check', { schema: 'domain_map', text: files.get('hostile/deep-square.js') }, SOON)
    expect(nested).toMatchObject({ isError: true, text: expect.stringContaining('more than 200 levels') })
    answered.push(nested.structured.meta.id)
    await Promise.all(rest.filter(([name]) => isLong || !SLOW.has(name)).map(([name, input]) => asked(name, input)))

    // Not "nothing there": the file that could not be read is named.
    const lost = await asked('callers', { name: 'deepUnclosed' })
    expect(lost.isError || lost.structured.data.partial).toBe(true)
    expect(lost.text).not.toMatch(/Nothing in the workspace is named/)

    expect(() => process.kill(pid, 0)).not.toThrow()
    expect(errors()).toBe('')
    expect(await resident()).toBe(before)
    const records = world.journal().split('\n').filter(Boolean)
    const calls = records.map(line => JSON.parse(line)).filter(({ type }) => type === 'call')
    expect(calls.map(({ id }) => id).toSorted()).toEqual(answered.toSorted())
  })
})
