import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createRedactor, type Redactor } from '../../../src/guards/secrets/redact.ts'
import type { Toolkit } from '../../../src/toolkit.ts'
import { CannotRun, findings, type Findings, type Result } from '../row.ts'
import { standInContract } from '../stand-in-contract.ts'
import type { World } from '../world.ts'
import { formsOf, leaked, probe, vaultWith } from './secret-leaks.ts'
import type { SecretRow, SecretWorld } from './secrets.ts'

/** As much of a secret as may be left over, such as a quote or the padding that an encoding shares with its surroundings. */
const MOST_LEFT = 5

/** What a guide may call a transform that cannot be seen through. */
const LIMITS: readonly (readonly [RegExp, RegExp])[] = [
  [/revers/i, /reversed/i],
  [/spaced/i, /blanks between/i],
  [/per-?line/i, /one character a line/i],
  [/gzip|zlib|deflate|brotli|bz|xz|zst/i, /compressed/i],
  [/sha|md5|hash|hmac|crc/i, /hash/i],
  [/xor/i, /xor/i],
  [/rot|caesar|shift/i, /shifted|rot13/i],
  [/aes|encrypt|cipher/i, /encrypted/i],
  [/last|half|piece|part|truncat|split/i, /pieces|parts/i],
  [/(b64|base64).*(b64|base64|twice|double)/i, /base64 of base64/i],
]

/** Where a tool answers the texts of many rows. */
export interface Place {
  readonly world: World
  readonly kit: Toolkit
}

export async function redactionRow(row: SecretRow, { values, guide }: SecretWorld, place: Place): Promise<Result> {
  const found = findings()
  const redactor = createRedactor(values)
  if (row.output_b64 !== undefined) return bytesRow(row, Buffer.from(row.output_b64, 'base64'), redactor, values)
  const output = row.output ?? ''
  const shown = redactor.text(output)
  const answered = await throughTool(found, output, values, place)
  found.demand(answered.text === shown, `a tool's answer shows ${JSON.stringify(answered.text)}`)
  const [before, , after] = around(output)
  found.demand(
    shown.startsWith(before) && shown.endsWith(after),
    `the text around it changed: ${JSON.stringify(shown)}`,
  )

  if (row.expect === 'unchanged') found.demand(shown === output, `it became ${JSON.stringify(shown)}`)
  if (row.expect === 'redacted') {
    found.demand(shown.includes('[redacted:'), 'no marker stands there')
    const meant = new Map([...values].filter(([key, value]) => key === row.secret || output.includes(value)))
    for (const text of [shown, answered.text, answered.journal]) checkHidden(found, output, text, meant)
  }
  if (row.expect === 'documented-limit')
    found.demand(isDocumented(row.transform ?? '', guide), 'docs/secrets.md does not say so')
  if (row.invariant === 'valid-json') found.demand(isJson(shown), `it is no JSON any more: ${shown}`)
  return found.result(shown === output ? 'unchanged' : 'redacted')
}

/** A tool answers the text: what its caller gets, and what the journal keeps of it. */
async function throughTool(
  found: Findings,
  output: string,
  values: ReadonlyMap<string, string>,
  { world, kit }: Place,
): Promise<{ text: string; journal: string }> {
  const records: object[] = []
  const contract = standInContract(probe(() => ({ text: output })))
  const session = kit.session({ contract, secrets: vaultWith(values), onRecord: record => records.push(record) })
  const { outcome } = await session.run('probe', { text: 'x' })
  found.demand(outcome.ok, 'the tool failed')
  const text = outcome.ok ? String(Reflect.get(Object(outcome.data), 'text')) : ''
  const kept = String(Reflect.get(Object(Reflect.get(Object(records.at(-1)), 'output')), 'text'))
  found.demand(leaked(values, world.state()) === undefined, `the state shows ${leaked(values, world.state())}`)
  return { text, journal: kept }
}

/** Nothing is left of any value in any common form but scraps, nor most of what stands between the words around it. */
function checkHidden(found: Findings, output: string, shown: string, values: ReadonlyMap<string, string>): void {
  const [before, middle, after] = around(output)
  const rest = shown.slice(before.length, shown.length - after.length).replaceAll(/\[redacted:[^\]]*\]/g, '\n')
  for (const [key, value] of values) {
    if (value.length <= MOST_LEFT) continue
    const left = formsOf(value)
      .map(form => longestShared(rest, form))
      .reduce(longer, '')
    found.demand(left.length <= MOST_LEFT, `'${left}' of ${key} is left`)
  }
  if (before !== '') found.demand(longestShared(rest, middle).length <= middle.length / 2, `most is left: ${rest}`)
}

const longer = (one: string, other: string): string => (other.length > one.length ? other : one)

/** The words around the secret, where a row has them. */
function around(output: string): readonly [before: string, middle: string, after: string] {
  const [, before = '', middle = output, after = ''] = /^(before )(.*)( after)$/s.exec(output) ?? []
  return [before, middle, after]
}

function longestShared(one: string, other: string): string {
  let longest = ''
  for (let from = 0; from < one.length; from++)
    while (from + longest.length < one.length && other.includes(one.slice(from, from + longest.length + 1)))
      longest = one.slice(from, from + longest.length + 1)
  return longest
}

function bytesRow(row: SecretRow, output: Buffer, redactor: Redactor, values: ReadonlyMap<string, string>): Result {
  const found = findings()
  const key = row.secret ?? ''
  const expected = output
    .toString('latin1')
    .replace(Buffer.from(values.get(key) ?? '').toString('latin1'), `[redacted:${key}]`)
  const shown = redactor.bytes(output).toString('latin1')
  found.demand(shown === expected, `the bytes became ${JSON.stringify(shown)}`)
  return found.result('redacted')
}

/** Chunks as a process would print them. */
export function chunkRow(row: SecretRow, encoded: readonly string[], { values }: SecretWorld): Result {
  if (row.expect !== 'redacted') throw new CannotRun(`no check stands for '${row.expect}'`)
  const found = findings()
  const redactor = createRedactor(values)
  const chunks = encoded.map(chunk => Buffer.from(chunk, 'base64'))
  const whole = Buffer.concat(chunks)
  const stream = redactor.stream()
  const shown = Buffer.concat([...chunks.map(chunk => stream.push(chunk)), stream.end()])
  const value = values.get(row.secret ?? '') ?? ''
  const [before = '', after = ''] = whole.toString().split(value)
  found.demand(shown.equals(redactor.bytes(whole)), 'the chunks are not what the whole is')
  found.demand(
    shown.toString() === `${before}[redacted:${row.secret}]${after}`,
    `it became ${JSON.stringify(shown.toString())}`,
  )
  return found.result('redacted')
}

/**
 * Much output with many secrets loaded: in time, complete, and without holding it back.
 * In a process of its own, because the test runner rewrites imports in a way that costs a hot loop three times as much.
 */
export function speedRow(row: SecretRow, size: number, { values }: SecretWorld): Result {
  const input = JSON.stringify({ row, size, values: [...values] })
  const script = fileURLToPath(new URL('./redaction-speed.ts', import.meta.url))
  return JSON.parse(execFileSync(process.execPath, [script], { input, encoding: 'utf8' }))
}

function isDocumented(transform: string, guide: string): boolean {
  const known = LIMITS.filter(([name]) => name.test(transform))
  if (known.length > 0) return known.some(([, words]) => words.test(guide))
  return guide.toLowerCase().includes(transform.toLowerCase())
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
