import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../src/testing/index.ts'
import type { ToolkitOptions } from '../src/toolkit.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({
    '.ignore': 'ignored\n',
    'ignored/x.ts': 'needle\n',
    'src/cart.ts':
      'export class Cart {\n  add(item: string) {\n    return `needle ${item}`\n  }\n}\n\nexport const empty = new Cart()\n',
    'src/use.py': 'def use():\n    needle = 1\n    return needle\n',
    'notes.txt': 'needle\nNEEDLE\n',
  })
})
afterEach(() => workspace.remove())

/** What a tool gives, or the code and message of why not. */
async function call(tool: string, input: object, options: Omit<ToolkitOptions, 'root' | 'env'> = {}) {
  const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'], ...options })
  return answerOf(await kit.call(tool, input))
}
const answerOf = (answer: unknown) => Reflect.get(Object(answer), 'data') ?? Reflect.get(Object(answer), 'error')

describe('grep', () => {
  it('says what there is before the cut, and where it goes on', async () => {
    const first = await call('grep', { pattern: 'needle', limit: 2 })
    expect(first).toMatchObject({
      matches: [
        { path: 'notes.txt', line: 1, text: 'needle' },
        { path: 'src/cart.ts', line: 3 },
      ],
      total: 4,
      lines: 4,
      filesFound: 3,
      filesSearched: 4,
      filesHidden: 0,
      truncated: true,
      next: { skip: 2 },
      freshness: { source: 'scan' },
    })
    const rest = await call('grep', { pattern: 'needle', limit: 2, ...first.next })
    expect(rest).toMatchObject({ matches: [{ line: 2 }, { line: 3 }], truncated: false })
    expect(rest).not.toHaveProperty('next')
  })

  it('takes every option of the engine', async () => {
    expect(await call('grep', { patterns: ['use', 'Cart'], word: true, only: 'counts' })).toMatchObject({
      matches: [],
      files: [
        { path: 'src/cart.ts', count: 2 },
        { path: 'src/use.py', count: 1 },
      ],
      total: 2,
      lines: 3,
    })
    expect(await call('grep', { pattern: 'needle', ignoreCase: true, path: 'notes.txt' })).toMatchObject({ total: 2 })
    expect(await call('grep', { pattern: 'n.*e$', regex: true, globs: ['!*.ts'], only: 'files' })).toMatchObject({
      files: [{ path: 'notes.txt' }, { path: 'src/use.py' }],
    })
    expect(await call('grep', { pattern: 'return', path: 'src', before: 1, after: 1, invert: false })).toMatchObject({
      matches: [
        { before: ['  add(item: string) {'], after: ['  }'] },
        { before: ['    needle = 1'], after: [] },
      ],
    })
  })

  it('says where an answer goes on that was cut because it is too long, and the pages together are the whole', async () => {
    const kit = await workspace.open({ permissions: ['fs:read'] })
    const lines = Array.from({ length: 1_900 }, (_, at) => `zzz ${at} ${'x'.repeat(180)}`)
    workspace.write('wide.txt', lines.join('\n'))
    const shown: string[] = []
    for (let skip = 0, pages = 0; pages < 10; pages++) {
      const { outcome } = await kit.run('grep', { pattern: 'zzz', path: 'wide.txt', limit: 2_000, skip })
      if (!outcome.ok) throw outcome.error
      const { matches, total, truncated, next } = Object(outcome.data)
      expect([total, truncated]).toEqual([1_900, next !== undefined])
      if (pages === 0) expect([outcome.meta.ref !== undefined, truncated]).toEqual([true, true])
      shown.push(...matches.map(({ text }: { text: string }) => text))
      if (!truncated) break
      skip = next.skip
    }
    expect(shown).toEqual(lines)
    await kit.close()
  })

  it('searches the whole of an answer that was cut', async () => {
    workspace.write('long.txt', `${'line of text\n'.repeat(30_000)}the needle\n`)
    const kit = await workspace.open({ permissions: ['fs:read'] })
    const lines = Array.from({ length: 2_000 }, (_, at) => `${at} ${'x'.repeat(300)} ${at === 1_999 ? 'needle' : ''}`)
    workspace.write('many.txt', lines.join('\n'))
    const { outcome } = await kit.run('grep', { pattern: 'x', path: 'many.txt', limit: 2_000 })
    const { ref } = outcome.meta
    expect(ref).toMatch(/^ref:/)
    const found = answerOf(await kit.call('grep', { pattern: 'needle', path: ref }))
    expect(found).toMatchObject({ total: 1, matches: [{ path: ref, text: expect.stringContaining('1999 ') }] })
    expect(answerOf(await kit.call('grep', { pattern: 'x', path: 'ref:0123456789abcdef' }))).toMatchObject({
      code: 'not_found',
    })
  })

  it.each([
    [{}, 'Give `pattern` or `patterns`'],
    [{ pattern: '(', regex: true }, 'Invalid regex pattern'],
    [{ pattern: 'a\nb' }, 'line break'],
    [{ pattern: 'x', globs: ['{a'] }, 'Invalid glob'],
    [{ pattern: 'x', limit: 5_000 }, 'limit'],
  ])('refuses %j', async (input, said) => {
    expect(await call('grep', input)).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(said) })
  })
})

describe('what an open index knows', () => {
  it('comes with what is read and found, and costs nothing where none is open', async () => {
    expect(await call('read', { path: 'src/cart.ts', from: 3, to: 3 })).not.toHaveProperty('symbol')
    const kit = await workspace.open({ permissions: ['fs:read'] })
    await kit.call('index', { by: 'all' })
    // No answer waits for it longer than a glance, which a busy machine can miss.
    const eventually = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 60_000 })
    await eventually(async () => {
      const ranged = answerOf(await kit.call('read', { path: 'src/cart.ts', from: 3, to: 3 }))
      expect(ranged.symbol).toBe('Cart.add')
      expect(ranged).not.toHaveProperty('exports')
    })
    await eventually(async () => {
      const whole = answerOf(await kit.call('read', { path: 'src/cart.ts' }))
      expect(whole.exports).toEqual(['Cart', 'empty'])
      expect(whole).not.toHaveProperty('symbol')
    })
    await eventually(async () => {
      const { matches } = answerOf(await kit.call('grep', { pattern: 'needle', globs: ['*.ts', '*.txt'] }))
      expect(matches).toEqual([
        { path: 'notes.txt', line: 1, text: 'needle' },
        { path: 'src/cart.ts', line: 3, text: '    return `needle ${item}`', symbol: 'Cart.add' },
      ])
    })
    expect(answerOf(await kit.call('read', { path: 'notes.txt' }))).not.toHaveProperty('exports')
  })

  it('is left out where answers must be the same again', async () => {
    const kit = await workspace.open({ permissions: ['fs:read'], deterministic: true })
    await kit.call('index', { by: 'all' })
    expect(answerOf(await kit.call('read', { path: 'src/cart.ts' }))).not.toHaveProperty('exports')
  })
})

describe('index', () => {
  it('is asked by exports, prefix and all, and counts itself', async () => {
    expect(await call('index', { by: 'exports', value: 'Cart' })).toMatchObject({
      files: [{ path: 'src/cart.ts', exports: ['Cart', 'empty'] }],
      total: 1,
      current: true,
    })
    expect(await call('index', { by: 'symbol', value: 'add' })).toMatchObject({ files: [{ path: 'src/cart.ts' }] })
    expect(await call('index', { by: 'prefix', value: 'src/' })).toMatchObject({ total: 2 })
    expect(await call('index', { by: 'status' })).toMatchObject({ status: { totalExports: expect.any(Number) } })
    expect(await call('index', { by: 'tag' })).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching('tag'),
    })
  })
})

describe('globs that begin with a slash', () => {
  it('are anchored at the top', async () => {
    workspace.write('cart.ts', 'needle\n')
    const found = async (globs: string[]) =>
      (await call('grep', { pattern: 'needle', globs, only: 'files' })).files.map(({ path }: { path: string }) => path)
    expect(await found(['/cart.ts'])).toEqual(['cart.ts'])
    expect(await found(['/src/cart.ts'])).toEqual(['src/cart.ts'])
    expect(await found(['*.ts', '!/cart.ts'])).toEqual(['src/cart.ts'])
    expect(await found(['*.ts', '!/src'])).toEqual(['cart.ts'])
    expect((await call('find', { glob: '/*.ts' })).files).toEqual(['cart.ts'])
    expect((await call('find', { glob: '/*.ts', path: 'src' })).files).toEqual(['src/cart.ts'])
    for (const glob of ['//cart.ts', '/../cart.ts'])
      expect(await call('find', { glob })).toMatchObject({ code: 'invalid_input' })
  })
})

describe('list and find', () => {
  it('leave out what is ignored, and count it', async () => {
    expect(await call('list', { depth: 2 })).toMatchObject({
      ignored: 1,
      truncated: false,
      path: '.',
      freshness: { source: 'scan' },
    })
    const { files } = await call('find', { glob: '*.ts' })
    expect(files).toEqual(['src/cart.ts'])
    const page = await call('list', { depth: 2, limit: 2, skip: 1, sizes: true })
    expect(page).toMatchObject({ total: 5, truncated: true, next: { skip: 3 } })
    expect(page.entries).toEqual([
      { path: 'notes.txt', type: 'file', size: 14 },
      { path: 'src', type: 'directory' },
    ])
    expect((await call('list', { path: 'ignored', all: true, sizes: true })).entries).toEqual([
      { path: 'ignored/x.ts', type: 'file', size: 7 },
    ])
  })

  it('name no file that a rule denies', async () => {
    workspace.write('.env', 'KEY=1\n')
    const options = { permissions: ['fs:read'], config: '' }
    options.config = `${workspace.base}/deny.json`
    writeFileSync(
      options.config,
      JSON.stringify({ policy: { rules: [{ action: 'read', path: '**/.env*', verdict: 'deny' }] } }),
    )
    for (const [tool, input] of [
      ['list', {}],
      ['find', { glob: '.*' }],
      ['grep', { pattern: 'KEY' }],
    ] as const) {
      const answer = await call(tool, input, options)
      expect(JSON.stringify(answer)).not.toContain('.env')
      expect(answer.filesHidden).toBe(1)
    }
    expect(await call('grep', { pattern: 'KEY', path: '.env' }, options)).toMatchObject({ code: 'denied' })
    expect(JSON.stringify(await call('index', { by: 'all' }, options))).not.toContain('.env')
  })
})

describe('plan', () => {
  const item = (content: string, status = 'pending') => ({ content, activeForm: `${content}ing`, status })

  it('AA-08: is kept for the session, whole, with one in progress', async () => {
    const kit = await workspace.open()
    expect(answerOf(await kit.call('plan', {}))).toEqual({ items: [], maxItems: 15, currentItem: null })
    const plan = answerOf(await kit.call('plan', { items: [item('look', 'completed'), item('test')] }))
    expect(plan.currentItem).toMatchObject({ id: 'step-2', status: 'in_progress' })
    expect(answerOf(await kit.call('plan', {}))).toEqual(plan)
    await kit.run('plan', { items: [] }, { dryRun: true })
    expect(answerOf(await kit.call('plan', {}))).toEqual(plan)
    expect(answerOf(await kit.session().call('plan', {})).items).toEqual([])
    const two = { items: [item('a', 'in_progress'), item('b', 'in_progress')] }
    expect(answerOf(await kit.call('plan', two))).toMatchObject({ code: 'invalid_input' })
  })
})

describe('check', () => {
  it('AA-09, AA-13: checks data against a registered schema, also such as stands in a text', async () => {
    const options = { outputs: { point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } } }
    expect(await call('check', { schema: 'point', data: { x: 1 } }, options)).toEqual({
      valid: true,
      errors: [],
      warnings: [],
    })
    expect(await call('check', { schema: 'point', text: 'Sure!\n```json\n{"x": 2}\n```' }, options)).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      data: { x: 2 },
      cut: true,
    })
    expect(await call('check', { schema: 'point', text: '{"y": 2}' }, options)).toMatchObject({
      valid: false,
      cut: false,
    })
    expect(await call('check', { schema: 'point', text: "{'x': 3,}" }, options)).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      data: { x: 3 },
      cut: false,
      repaired: true,
    })
    expect(await call('check', { schema: 'point', text: '{"points": [{"x": 4}] oops' }, options)).toEqual({
      valid: false,
      errors: ['The text contains no complete JSON'],
      warnings: [],
    })
    expect(await call('check', { schema: 'point', text: 'no' }, options)).toMatchObject({ valid: false })
    expect(await call('check', { schema: 'other', data: 1 }, options)).toMatchObject({
      errors: [expect.stringContaining("Unknown output type 'other'")],
    })
    expect(await call('check', { schema: 'point' }, options)).toMatchObject({ code: 'invalid_input' })
  })

  it('knows the schemas of the configuration, of a project once it is trusted', async () => {
    const config = `${workspace.base}/own.json`
    writeFileSync(config, JSON.stringify({ schemas: { name: { type: 'string' } } }))
    expect(await call('check', { schema: 'name', data: 'x' }, { config })).toMatchObject({ valid: true })
    workspace.write('toolwright.json', JSON.stringify({ schemas: { theirs: { type: 'string' } } }))
    expect(await call('check', { schema: 'theirs', data: 'x' }, { config })).toMatchObject({ valid: false })
  })
})
