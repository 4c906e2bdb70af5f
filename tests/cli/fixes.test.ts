import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fakeOllama, type FakeOllama } from '../memory/fake-ollama.ts'
import { lines, useCli } from './rig.ts'

let ollama: FakeOllama
beforeAll(async () => {
  ollama = await fakeOllama()
})
afterAll(() => ollama[Symbol.asyncDispose]())

const cli = useCli({ 'a.ts': 'export const one = 1\n' })
beforeEach(() => cli.configure({ memory: ollama.memory, timeouts: { 'debug-assistant/*': 60_000 } }))

const PORT = ['--error', 'listen EADDRINUSE: address already in use :::3000', '--cause', 'A second server was running']
const ADD = [
  'fixes',
  'add',
  ...PORT,
  '--solution',
  'Stop the old one',
  '--type',
  'EADDRINUSE',
  '--language',
  'TypeScript',
]
const TABLE = {
  errorDescription: 'OperationalError: no such table: auth_user',
  rootCause: 'Migrations never ran',
  solution: 'Run migrate in the start script',
  language: 'python',
  errorType: 'OperationalError',
}
const added = async (...more: readonly string[]): Promise<string> => {
  const { out } = await cli.run([...ADD, ...more, '--json'])
  return Object(JSON.parse(out)).stored.id
}
const searched = async (): Promise<readonly { readonly id: string; readonly userValidated: boolean }[]> => {
  const input = JSON.stringify({ query: 'port 3000 address already in use', minConfidence: 0.1 })
  const { out } = await cli.run(['call', 'vector_search_db', input, '--contract', 'debug-assistant', '--json'])
  return Object(JSON.parse(out)).data?.results ?? []
}

describe('toolwright fixes', () => {
  it('DA-09: what is recorded is found, validated, refuted and removed', async () => {
    const id = await added()
    expect(await searched()).toMatchObject([{ id, userValidated: false }])
    expect(await cli.run(['fixes', 'validate', id])).toMatchObject({ code: 0, out: `${id} validated\n` })
    expect(await searched()).toMatchObject([{ id, userValidated: true }])
    expect(await cli.run(['fixes', 'validate', id, '--refute'])).toMatchObject({ code: 0, out: `${id} refuted\n` })
    expect(await searched()).toEqual([])
    expect((await cli.run(['fixes', 'show', id])).out).toContain('refuted')
    await cli.run(['fixes', 'validate', id])
    expect(await searched()).toMatchObject([{ id, userValidated: true }])
    expect(await cli.run(['fixes', 'remove', id])).toMatchObject({ code: 0, out: `${id} removed\n` })
    expect(await cli.run(['fixes', 'show', id])).toMatchObject({ code: 1, out: '' })
    expect((await cli.run(['fixes', 'list'])).out).toContain('No fix is stored')
  })

  it('takes JSON on standard input, and says which field is wrong', async () => {
    const { code, out } = await cli.run(['fixes', 'add', '--json'], { input: JSON.stringify(TABLE) })
    expect([code, JSON.parse(out).stored]).toMatchObject([0, TABLE])
    const wrong = await cli.run(['fixes', 'add'], { input: '{"errorDescription":"x","rootCause":"y"}' })
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("A fix needs --solution ('solution')") })
    expect((await cli.run(['fixes', 'add'], { input: 'no' })).err).toContain('not one JSON object')
    expect((await cli.run([...ADD, '--confidence', '7'])).err).toContain('--confidence wants a number from 0 to 1')
  })

  it('asks a person for what is missing', async () => {
    const person = ['Docker keeps the port', 'docker compose down', '', '', '']
    const asks = /: $/
    const { code, err } = await cli.run(['fixes', 'add', '--error', 'port taken'], { person, asks })
    expect([code, err]).toEqual([0, expect.stringMatching(/Cause: .*Solution: /s)])
    const { out } = await cli.run(['fixes', 'list', '--json'])
    expect(JSON.parse(out).fixes).toMatchObject([
      { errorDescription: 'port taken', rootCause: 'Docker keeps the port', solution: 'docker compose down' },
    ])
    const closed = await cli.run(['fixes', 'add', '--error', 'x'], { person: [undefined], asks })
    expect(closed).toMatchObject({ code: 2, err: expect.stringContaining('A fix needs its cause') })
  })

  it('offers to merge a near duplicate, and merges it', async () => {
    const id = await added('--tried', 'Another port', '--failed', 'Also taken')
    const twin = ['fixes', 'add', ...PORT, '--solution', 'Stop the old one with kill', '--tried', 'Waiting']
    const offered = await cli.run(twin)
    expect([offered.code, offered.err]).toEqual([1, expect.stringContaining(`--into ${id}`)])
    expect(await cli.run([...twin, '--into', id])).toMatchObject({ code: 0 })
    const shown = JSON.parse((await cli.run(['fixes', 'show', id, '--json'])).out)
    expect(shown).toMatchObject({
      solution: 'Stop the old one with kill',
      errorType: 'EADDRINUSE',
      language: 'typescript',
      attempts: [
        { tried: 'Another port', failed: 'Also taken' },
        { tried: 'Waiting', failed: '' },
      ],
    })
    const answered = await cli.run([...twin], { person: ['y'], asks: /\(N\)o: $/ })
    expect(answered).toMatchObject({ code: 0, out: expect.stringContaining(`Merged into ${id}`) })
    expect(await cli.run([...twin, '--even-if-similar'])).toMatchObject({ code: 0 })
    expect(JSON.parse((await cli.run(['fixes', 'list', '--json'])).out).total).toBe(2)
  })

  it('searches by meaning or by words, with filters and pages', async () => {
    const id = await added()
    await cli.run(['fixes', 'add'], { input: JSON.stringify(TABLE) })
    const best = await cli.run(['fixes', 'search', 'port', 'already', 'in', 'use', '--json'])
    expect(JSON.parse(best.out)).toMatchObject({
      totalFound: 2,
      results: [{ fix: { id }, similarity: expect.any(Number) }, {}],
    })
    const words = JSON.parse((await cli.run(['fixes', 'search', 'EADDRINUSE', '--words', '--json'])).out)
    expect(words.results).toMatchObject([{ fix: { id }, sameError: true }])
    expect(words.results[0]).not.toHaveProperty('similarity')
    expect((await cli.run(['fixes', 'search', 'table', '--language', 'python'])).out).toMatch(
      /similarity .*\n {2}Cause: /,
    )
    expect(await cli.run(['fixes', 'search', 'x', '--type', 'Nope'])).toMatchObject({
      code: 1,
      out: 'Nothing found.\n',
    })
    expect((await cli.run(['fixes', 'list', '--language', 'go'])).out).toBe('No stored fix passes these filters\n')
    expect((await cli.run(['fixes', 'list', '--limit', '1'])).err).toContain('--skip 1')
    expect((await cli.run(['fixes', 'sarch', 'x'])).err).toContain('did you mean search')
  })

  it('edits, by options and by JSON', async () => {
    const id = await added()
    expect((await cli.run(['fixes', 'edit', id, '--solution', 'Take port 3001'])).out).toContain('Take port 3001')
    const { out } = await cli.run(['fixes', 'edit', id, '--json'], { input: '{"fixedIn":"src/server.ts"}' })
    expect(JSON.parse(out)).toMatchObject({ id, solution: 'Take port 3001', fixedIn: 'src/server.ts' })
    expect(await cli.run(['fixes', 'edit', id], { input: '{"id":"other"}' })).toMatchObject({ code: 2 })
  })

  it('keeps a verdict when the same line is imported again, and refuses two lines of one fix', async () => {
    const input = JSON.stringify(TABLE)
    await cli.run(['fixes', 'import'], { input })
    const only = async () => Object(JSON.parse((await cli.run(['fixes', 'list', '--json'])).out)).fixes[0]
    const { id, createdAt } = await only()
    await cli.run(['fixes', 'validate', id, '--refute'])
    await cli.run(['fixes', 'import'], { input })
    expect(await only()).toMatchObject({ id, createdAt, confidence: 0 })
    const twice = await cli.run(['fixes', 'import'], { input: `${input}\n${input}\n` })
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining('Line 2 is the same fix as line 1')])
  })

  it('works without vectors while its embedder cannot be opened', async () => {
    const id = await added()
    cli.configure({ memory: { embedder: { onnx: join(cli.workspace.base, 'nowhere') } } })
    expect((await cli.run(['fixes', 'list'])).out).toContain(id)
    expect((await cli.run(['fixes', 'search', '--words', 'EADDRINUSE'])).out).toContain(id)
    expect((await cli.run(['fixes', 'search', 'EADDRINUSE'])).err).toContain('holds no model')
    const { result } = await cli.call('fixes', { query: 'EADDRINUSE' })
    expect(result).toMatchObject({ ok: true, data: { fixes: [{ id }], byWords: expect.stringContaining('no model') } })
    const other = await cli.call('fixes', { query: 'nothing of this' })
    expect(other.result).toMatchObject({ ok: false, error: { message: expect.stringContaining('no model') } })
    expect((await cli.run(['fixes', 'doctor'])).code).toBe(1)
  })

  it('exports what it imports, twice without a second copy, and nothing of a broken file', async () => {
    const file = join(cli.workspace.base, 'fixes.jsonl')
    const many = Array.from({ length: 60 }, (_, at) => ({
      ...TABLE,
      errorDescription: `Error ${at}: word${at} is lost`,
    }))
    writeFileSync(file, many.map(fix => `${JSON.stringify(fix)}\n`).join(''))
    expect(await cli.run(['fixes', 'import', file])).toMatchObject({ code: 0, out: 'Imported 60 fixes\n' })
    await cli.run(['fixes', 'import', file])
    const exported = (await cli.run(['fixes', 'export'])).out
    expect(lines(exported)).toHaveLength(60)
    const back = await cli.run(['fixes', 'import', '-', '--json'], { input: exported })
    expect(JSON.parse(back.out)).toEqual({ imported: 60 })
    expect((await cli.run(['fixes', 'export'])).out.split('\n').toSorted()).toEqual(exported.split('\n').toSorted())
    const broken = await cli.run(['fixes', 'import'], {
      input: `${JSON.stringify({ ...TABLE, id: 'new' })}\n{"id":1}\n`,
    })
    expect([broken.code, broken.err]).toEqual([2, expect.stringContaining("Line 2 is not a fix: it has no '")])
    expect((await cli.run(['fixes', 'show', 'new'])).code).toBe(1)
  })

  it('removes secrets before it stores anything', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const id = await added('--fixed-in', 'a.ts', '--tried', `curl -H "Authorization: Bearer ${token}"`)
    const { out } = await cli.run(['fixes', 'show', id, '--json'])
    expect(out).not.toContain(token)
    writeFileSync(join(cli.workspace.base, 'secrets.env'), 'DATABASE=correct-horse-battery\n', { mode: 0o600 })
    cli.configure({ memory: ollama.memory, secrets: { file: join(cli.workspace.base, 'secrets.env') } })
    const edited = await cli.run(['fixes', 'edit', id, '--cause', 'It was correct-horse-battery', '--json'])
    expect(JSON.parse(edited.out).rootCause).toBe('It was [redacted:DATABASE]')
  })

  it('checks the store and the embedder', async () => {
    await added()
    const sound = await cli.run(['fixes', 'doctor'])
    expect([sound.code, sound.out]).toEqual([0, expect.stringMatching(/✓ file: .*✓ embedder: /s)])
    cli.configure({ memory: { embedder: { ollama: { url: 'http://127.0.0.1:9', model: 'm' } } } })
    const ill = await cli.run(['fixes', 'doctor', '--json'])
    expect([ill.code, JSON.parse(ill.out).ok]).toEqual([1, false])
  })

  it('saves what can be read of a damaged file', async () => {
    const id = await added()
    const file = join(cli.workspace.base, 'state/memory/fixes.sqlite')
    const whole = readFileSync(file)
    writeFileSync(file, whole.fill(0xff, whole.length - 4096))
    const repaired = await cli.run(['fixes', 'doctor', '--repair'])
    expect(repaired.err).toMatch(/^Saved 1 fix\. The damaged file is .*damaged-/)
    expect([repaired.code, repaired.out]).toEqual([0, expect.stringMatching(/vectors of .*: 1 of 1/)])
    expect(await cli.run(['fixes', 'show', id])).toMatchObject({ code: 0 })
    expect((await cli.run(['fixes', 'search', 'address already in use'])).out).toContain(id)
    expect((await cli.run(['fixes', 'doctor', '--repair'])).err).toBe('')
  })

  it('refuses an option of another verb, which it would ignore', async () => {
    for (const [verb, option] of [
      ['list', '--repair'],
      ['search', '--refute'],
      ['export', '--words'],
    ] as const) {
      const { code, err } = await cli.run(['fixes', verb, 'word', option])
      expect([code, err]).toEqual([2, expect.stringContaining(`${option} goes with 'fixes `)])
    }
  })
})
