import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openToolkit } from '../../src/toolkit.ts'
import { fastDirectory } from '../memory-directory.ts'

const ROUNDS = process.env['TOOLWRIGHT_LONG'] === '1' ? 400 : 8
const LEAST_MS = 300
const INSIDE = 'needle inside'
const CANARY = 'needle CANARY'
const FOLDERS = ['one', 'two', 'three', 'four']
const FILES = 60

interface Row {
  readonly tool: string
  readonly contract?: string
  readonly input: object
  /** The name in the workspace that changes places with a link, and where the link leads. */
  readonly swapped?: string
  readonly link?: string
}

const OUT = { swapped: 'dir', link: '../outside' }
const HIDDEN = { swapped: 'dir', link: 'secrets' }
const FILE_OUT = { swapped: 'dir/one/file-0.txt', link: '../../../outside/one/file-0.txt' }
const FILE_HIDDEN = { swapped: 'dir/one/file-0.txt', link: '../../.env' }

const grep = (input: object): Row => ({ tool: 'grep', input: { pattern: 'needle', limit: 1_000, ...input } })
const find = (input: object): Row => ({ tool: 'find', input: { glob: '**', limit: 1_000, ...input } })

const ROWS: readonly Row[] = [
  { ...grep({}), ...OUT },
  { ...grep({}), ...HIDDEN },
  { ...grep({}), ...FILE_OUT },
  { ...grep({}), ...FILE_HIDDEN },
  { ...grep({ path: 'dir' }), swapped: 'dir/one', link: '../../outside/one' },
  { ...grep({ path: 'dir/one/file-0.txt' }), ...FILE_OUT },
  { ...grep({ path: 'dir/one/file-0.txt' }), ...FILE_HIDDEN },
  { ...grep({ pattern: 'CANARY', only: 'files' }), ...OUT },
  { ...grep({ pattern: 'CANARY', only: 'counts' }), ...HIDDEN },
  { ...grep({ onlyMatching: true, pattern: 'needle \\w+', regex: true }), ...OUT },
  { ...grep({ multiline: true, pattern: 'needle[^z]*last', regex: true }), ...HIDDEN },
  { ...grep({ invert: true, pattern: 'inside' }), ...OUT },
  { ...grep({ before: 1, after: 1, pattern: 'last' }), ...OUT },
  { ...grep({ globs: ['*.txt'], ignoreCase: true }), ...FILE_OUT },
  { ...find({}), ...OUT },
  { ...find({}), ...HIDDEN },
  { ...find({ path: 'dir' }), swapped: 'dir/one', link: '../../outside/one' },
  { tool: 'grep_search', contract: 'cli-agent', input: { pattern: 'needle' }, ...OUT },
  { tool: 'file_search', contract: 'cli-agent', input: { pattern: '**' }, ...HIDDEN },
]

/** A workspace, a tree of the same names outside, and one inside that a rule denies. */
function makeTrees() {
  const base = realpathSync(mkdtempSync(join(fastDirectory, 'toolwright-search-race-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), text)
  }
  const trees = [
    ['ws/dir', INSIDE],
    ['outside', CANARY],
    ['ws/secrets', CANARY],
  ] as const
  for (const [place, text] of trees)
    for (const folder of FOLDERS) {
      for (let at = 0; at < FILES; at++) put(`${place}/${folder}/file-${at}.txt`, `first\n${text}\nlast\n`)
      if (text === CANARY) put(`${place}/${folder}/CANARY.txt`, `${CANARY}\nlast\n`)
    }
  put('ws/.env', `${CANARY}\nlast\n`)
  put('ws/other.txt', `${INSIDE}\nlast\n`)
  put(
    'config/config.json',
    JSON.stringify({
      policy: {
        rules: [
          { action: 'read', path: 'secrets/**', verdict: 'deny' },
          { action: 'read', path: '**/.env*', verdict: 'deny' },
        ],
      },
    }),
  )
  return base
}

/** Exchanges a name with a link as fast as it can until the returned function is called, which returns how often. */
async function startSwapper(place: string, link: string): Promise<() => Promise<number>> {
  const name = place.slice(place.lastIndexOf('/') + 1)
  symlinkSync(link, join(dirname(place), `.${name}-link`))
  const swapper = spawn(process.execPath, [join(import.meta.dirname, '../faults/swapper.ts'), dirname(place), name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void swapper.kill('SIGKILL'))
  await once(swapper.stdout, 'data')
  return async () => {
    let text = ''
    swapper.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    const over = once(swapper, 'close')
    swapper.stdin.end()
    await over
    return Number(text)
  }
}

it.each(ROWS)('$tool $input answers nothing from behind $link, swapped in for $swapped', async row => {
  const { tool, contract = 'toolwright', input, swapped = 'dir', link = '' } = row
  const base = makeTrees()
  const env = { HOME: base, TOOLWRIGHT_STATE: join(base, 'state'), TOOLWRIGHT_CONFIG_HOME: join(base, 'config') }
  const kit = await openToolkit({ root: join(base, 'ws'), env, contract, permissions: ['fs:read'], resident: 'off' })
  const stop = await startSwapper(join(base, 'ws', swapped), link)
  const leaks: string[] = []
  // No file inside holds it, so that a mere count says what is behind the link.
  const isForCanary = Object(input).pattern === 'CANARY'
  const codes = new Set<string>()
  try {
    const since = performance.now()
    // A short search is repeated until swaps have fallen into it.
    for (let round = 0; round < ROUNDS || performance.now() - since < LEAST_MS; round++) {
      const { outcome, answer } = await kit.run(tool, input, { contract })
      const text = JSON.stringify(outcome.ok ? outcome.data : answer)
      if (text.includes('CANARY') || (isForCanary && /"lines":[1-9]/.test(text))) leaks.push(text.slice(0, 300))
      codes.add(outcome.ok ? 'ok' : outcome.error.code)
    }
  } finally {
    await kit.close()
  }
  expect(await stop()).toBeGreaterThan(ROUNDS)
  expect(leaks).toEqual([])
  expect([...codes].filter(code => !EXPECTED.has(code))).toEqual([])
})

const EXPECTED = new Set(['ok', 'outside_workspace', 'not_found', 'not_a_directory', 'denied', 'conflict'])
