import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../src/surfaces/cli/dispatch.ts'
import { fakeSecrets, temporaryWorkspace } from '../../src/testing/index.ts'
import { fakeTerminal } from './fake-terminal.ts'
import { makeWorld } from './world.ts'

const SECRET = 'Zq7xK2mPv9TrW4nLs8BdYf3H'
const KEY_LINES = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvQIBADANBgkqh9',
  'x7Lm2Qw8Zr4Tn6Vb1',
  '-----END PRIVATE KEY-----',
]
const VALUES = { TOKEN: SECRET, PEM: KEY_LINES.join('\n') }

/** A shorter piece gives nothing away. */
const LONGEST_LEFT = 5

type Ask = (tool: string, input: object, contract?: string) => Promise<string>

interface Row {
  readonly name: string
  readonly files: Readonly<Record<string, string | Buffer>>
  readonly permissions?: readonly string[]
  /** Makes the calls, each of which cuts the text. */
  readonly calls: (ask: Ask, learn: () => Promise<void>) => Promise<void>
  /** The value becomes known only when a call names it; `learn` makes one. */
  readonly isLate?: boolean
  /** Another form that the value is written in. */
  readonly forms?: readonly string[]
}

const LINE = `key = "${SECRET}" # end`
const AT = LINE.indexOf(SECRET)
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const BASE64 = Buffer.from(`user:${SECRET}:realm-of-the-server`).toString('base64')
const WRAPPED = (BASE64.match(/.{1,20}/g) ?? []).join('\n')
const hexOf = (text: string): string => (Buffer.from(text).toString('hex').match(/../g) ?? []).join(' ')
const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

const rows: readonly Row[] = [
  {
    name: 'read with skip, from every character',
    files: { a: `${LINE}\nmore\n` },
    calls: async ask => {
      for (const skip of numbers(1, LINE.length - 1)) await ask('read', { path: 'a', from: 1, skip })
    },
  },
  {
    name: 'read with skip in UTF-16',
    files: { a: utf16(`${LINE}\n`) },
    calls: async ask => {
      for (const skip of numbers(1, LINE.length * 2 - 1)) await ask('read', { path: 'a', from: 1, skip })
    },
  },
  {
    name: 'read in an encoding that the file is not in',
    files: { a: `${LINE}\n${LINE}${LINE.length % 2 === 0 ? '' : ' '}\n` },
    calls: async ask => {
      for (const encoding of ['latin-1', 'ascii', 'utf-16']) await ask('read', { path: 'a', encoding })
    },
    forms: [Buffer.from(SECRET.slice(0, 12)).toString('utf16le'), Buffer.from(SECRET.slice(1, 13)).toString('utf16le')],
  },
  {
    name: 'read of a line that is cut inside the value',
    files: { a: `${'x'.repeat(100 * 1024 - 11)}${SECRET} tail\n` },
    calls: async ask => {
      await ask('read', { path: 'a' })
      await ask('read', { path: 'a', from: 1, skip: 100 * 1024 })
    },
  },
  {
    name: 'read of lines that hold a part of wrapped base64',
    files: { a: `head\n${WRAPPED}\ntail\n` },
    calls: async ask => {
      for (const from of numbers(2, 1 + WRAPPED.split('\n').length)) await ask('read', { path: 'a', from, to: from })
    },
    forms: [BASE64.slice(8, 38)],
  },
  {
    name: 'read of single lines of a key',
    files: { a: `${KEY_LINES.join('\n')}\n` },
    calls: async ask => {
      for (const from of numbers(1, 4)) await ask('read', { path: 'a', from, to: from })
    },
    forms: KEY_LINES.slice(1, 3),
  },
  {
    name: 'read of a value in JSON escapes with skip',
    files: { a: Array.from(SECRET, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('') },
    calls: async ask => {
      for (const skip of numbers(1, 23)) await ask('read', { path: 'a', from: 1, skip: skip * 6 })
    },
    forms: [Array.from(SECRET, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  },
  {
    name: 'grep of matches alone, of every width',
    files: { a: `${LINE}\n` },
    calls: async ask => {
      for (const width of [6, 8, 11, 12, 20])
        await ask('grep', { pattern: `[A-Za-z0-9]{${width}}`, regex: true, onlyMatching: true })
    },
  },
  {
    name: 'grep of matches alone that reach into the value',
    files: { a: `${LINE}\n` },
    calls: async ask => {
      for (const pattern of ['key = ".{11}', '.{11}" # end', `.{${AT + 7}}`])
        await ask('grep', { pattern, regex: true, onlyMatching: true })
    },
  },
  {
    name: 'grep of matches over lines',
    files: { a: `head\n${WRAPPED}\ntail\n` },
    calls: async ask => {
      for (const pattern of ['head\\n.{20}', '.{20}\\ntail', '.{9}\\n.{9}'])
        await ask('grep', { pattern, regex: true, multiline: true, onlyMatching: true })
    },
    forms: [BASE64.slice(8, 38)],
  },
  {
    name: 'grep of a long line that is cut inside the value',
    files: { a: `${'x'.repeat(990)}${SECRET} tail\n`, b: `${'y'.repeat(1001 - 8)}${SECRET}\n` },
    calls: async ask => {
      await ask('grep', { pattern: 'xxx' })
      await ask('grep', { pattern: 'yyy', strict: true })
    },
  },
  {
    name: 'grep of a long line around a match, with the value cut at both ends of what is shown',
    files: Object.fromEntries(
      numbers(0, SECRET.length).map(at => [
        `${at}.txt`,
        `${'y'.repeat(2_000)}${SECRET}${'y'.repeat(200 - at)}needle${'z'.repeat(770 + at)}${SECRET}${'z'.repeat(2_000)}\n`,
      ]),
    ),
    calls: async ask => {
      await ask('grep', { pattern: 'needle' })
      await ask('grep', { pattern: `[${SECRET}]{6,}y*needle`, regex: true, strict: true })
    },
  },
  {
    name: 'grep of lines that hold a part of the value, and of those around them',
    files: { a: `head\n${WRAPPED}\ntail\n` },
    calls: async ask => {
      await ask('grep', { pattern: 'head', after: 1 })
      await ask('grep', { pattern: 'tail', before: 1 })
      for (const line of WRAPPED.split('\n')) await ask('grep', { pattern: line.slice(-4) })
    },
    forms: [BASE64.slice(8, 38)],
  },
  {
    name: 'grep of one file, and in UTF-16',
    files: { a: `${LINE}\n`, b: utf16(`${LINE}\n`) },
    calls: async ask => {
      for (const path of ['a', 'b']) await ask('grep', { pattern: '[A-Z].{9}', regex: true, onlyMatching: true, path })
    },
  },
  {
    name: 'a cut answer that was stored before the value was known',
    files: { a: `${`k ${'x'.repeat(900)}\n`.repeat(900)}k ${LINE}\n` },
    permissions: ['fs:read', 'fs:write', 'secret:*'],
    isLate: true,
    calls: async (ask, learn) => {
      const answer = await ask('grep', { pattern: 'k', limit: 2000 })
      const [ref = ''] = /ref:[0-9a-f]{8,}/.exec(answer) ?? []
      expect(ref).not.toBe('')
      await learn()
      await ask('grep', { pattern: 'key.{14}', regex: true, onlyMatching: true, path: ref })
      const { data } = JSON.parse(await ask('grep', { pattern: 'k', limit: 2000, path: ref }))[1]
      const [{ text, line }] = data.matches.toReversed()
      const at = Buffer.byteLength(text.slice(0, text.indexOf('[red')))
      for (const skip of numbers(Math.max(0, at - 2), at + 20)) await ask('read', { path: ref, from: line, skip })
    },
  },
  {
    name: 'context of a line',
    files: { 'a.py': `head = """\n${WRAPPED}\n"""\n${LINE}\n` },
    calls: async ask => {
      for (const line of numbers(1, 4)) await ask('context', { path: 'a.py', line, around: 0 })
    },
    forms: [BASE64.slice(8, 38)],
  },
  {
    name: 'the signature of a function, which is cut',
    files: { 'a.py': `def run(${'a, '.repeat(128)}token="${SECRET}"):\n    return 1\n` },
    calls: async ask => {
      await ask('symbols', { query: 'run' })
      await ask('context', { path: 'a.py', line: 2 })
    },
  },
  {
    name: 'the diff of a change beside a part of the value',
    files: { a: `${WRAPPED}\n1\n2\nold\n4\n5\n${WRAPPED}\n` },
    calls: async ask => {
      await ask('edit', { path: 'a', edits: [{ old: 'old', new: 'new' }] })
      await ask('patch', { patch: '--- a/a\n+++ b/a\n@@ -4,3 +4,3 @@\n 1\n 2\n-new\n+old\n', check: true })
    },
    forms: [BASE64.slice(8, 38)],
  },
  {
    name: 'the nearest text of an edit that does not match',
    files: { a: `${'x'.repeat(1990)}${LINE}\nsecond line of it\nthird line of it\n` },
    calls: async ask => {
      await ask('edit', {
        path: 'a',
        edits: [{ old: `${'x'.repeat(1990)}key\nsecond line of it\nthird line`, new: '' }],
      })
    },
  },
  {
    name: 'an output in a notebook, which is cut',
    files: {
      'a.ipynb': JSON.stringify({
        nbformat: 4,
        metadata: {},
        cells: [
          {
            cell_type: 'code',
            source: ['print()'],
            outputs: [{ output_type: 'stream', text: [`${'x'.repeat(3990)}${SECRET} tail\n`] }],
          },
        ],
      }),
    },
    calls: async ask => void (await ask('read', { path: 'a.ipynb' })),
  },
  {
    name: 'the bytes of a file that is no text',
    files: { a: Buffer.concat([Buffer.alloc(1014, 1), Buffer.from([0]), Buffer.from(`${SECRET} tail`)]) },
    calls: async ask => void (await ask('read_file', { path: 'a' }, 'cli-agent')),
    forms: [hexOf(SECRET.slice(0, 9))],
  },
  {
    name: 'ranges of lines in the documents',
    files: { a: `head\n${WRAPPED}\ntail\n` },
    calls: async ask => {
      for (const line of numbers(2, 4)) {
        await ask('read_file', { path: 'a', start_line: line, end_line: line }, 'cli-agent')
        await ask('Read', { file: 'a', offset: line - 1, limit: 1 }, 'sage')
        await ask('read_file', { filePath: 'a', lineStart: line, lineEnd: line }, 'debug-assistant')
      }
    },
    forms: [BASE64.slice(8, 38)],
  },
]

describe('a value that an answer shows a part of', () => {
  it.each(rows)(
    '$name',
    async ({ files, permissions = ['fs:read', 'fs:write', 'exec'], isLate, calls, forms = [] }) => {
      await using workspace = temporaryWorkspace(files)
      const provider = fakeSecrets(VALUES)
      const vault = { get: provider.get, keys: async () => Object.keys(VALUES) }
      const kit = await workspace.open({ secrets: isLate ? provider : vault, permissions })
      const answers: string[] = []
      const learn = async () => {
        answers.length = 0
        await kit.run('write', { path: 'b', content: '$ENV.TOKEN' })
      }
      const ask: Ask = async (tool, input, contract) => {
        const options = tool === 'edit' || tool === 'patch' ? { dryRun: true } : {}
        const { outcome, answer } = await kit.run(tool, input, { ...options, ...(contract && { contract }) })
        const error = outcome.ok ? [] : [outcome.error.message, outcome.error.details]
        answers.push(JSON.stringify([answer, outcome, ...error]).replaceAll('\\\\', '\\'))
        return answers.at(-1) ?? ''
      }
      await calls(ask, learn)
      const shown = answers.join('\n')
      expect(shown.includes('[redact') || shown.includes(hexOf('[redact'))).toBe(true)
      expect(leftOf([SECRET, ...forms], shown)).toEqual([])
    },
  )
})

/** Returns the pieces of these texts that answers show. */
function leftOf(texts: readonly string[], answers: string): string[] {
  return texts.flatMap(text => {
    const most = text === SECRET ? LONGEST_LEFT : Math.max(LONGEST_LEFT, Math.floor(text.length / 4))
    const pieces = numbers(0, text.length - most - 1).map(at => text.slice(at, at + most + 1))
    return pieces.filter(piece => answers.includes(piece))
  })
}

describe('the diff that the command line shows', () => {
  it('holds no part of a value beside the change, at once and later', async () => {
    await using world = makeWorld()
    const config = join(world.home, 'config.json')
    writeFileSync(config, JSON.stringify({ secrets: { env: ['TOKEN'] } }))
    writeFileSync(join(world.root, 'a'), `${WRAPPED}\n1\nold\n2\n${LINE}\n`)
    const env = { ...world.env, TOKEN: SECRET, TOOLWRIGHT_CONFIG: config }
    const shown: string[] = []
    const type = async (command: string, ...args: readonly string[]) => {
      const terminal = fakeTerminal(world.root, env)
      await dispatch(command, [...args, '--config', config], terminal)
      shown.push(terminal.out() + terminal.err())
      return terminal.out()
    }
    await type('call', 'edit', JSON.stringify({ path: 'a', edits: [{ old: 'old', new: 'new' }] }), '--yes')
    expect(readFileSync(join(world.root, 'a'), 'utf8')).toContain('new')
    const [record] = (await type('log', '--json')).trim().split('\n').toReversed()
    await type('log', 'show', String(JSON.parse(record ?? '{}').id))
    expect(shown.filter(text => text.includes('+new'))).toHaveLength(2)
    expect(shown.filter(text => text.includes('[redacted:TOKEN]')).length).toBeGreaterThan(1)
    expect(leftOf([SECRET, BASE64.slice(8, 38)], shown.join('\n'))).toEqual([])
  })
})
