import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { detectSecrets } from '../../../src/guards/secrets/detect.ts'
import { maskDetected } from '../../../src/guards/secrets/detect.ts'
import { CannotRun, findings, type Findings, type Result } from '../row.ts'
import { makeWorld } from '../world.ts'
import type { SecretRow } from './secrets.ts'

/** A text that holds a secret of a known shape, or only looks like it: by itself, between other lines, and in the journal. */
export async function shapeRow(row: SecretRow, text: string, start: string): Promise<Result> {
  const found = findings()
  const isSecret = row.expect === 'detected'
  if (!isSecret && row.expect !== 'unchanged') throw new CannotRun(`no check stands for '${row.expect}'`)
  for (const place of [text, `first line\n  ${text}\nlast line\n`, JSON.stringify({ stdout: `$ cat x\n${text}\n` })])
    checkText(found, place, isSecret)
  const secret = secretOf(text)
  if (isSecret) found.demand(text.indexOf(secret) + secret.length > start.length, 'something else was found')
  const journal = await recordOfReading(text)
  if (isSecret) found.demand(secret !== '' && !journal.includes(secret), 'the journal shows it')
  else found.demand(journal.includes(JSON.stringify(text).slice(1, -1)), 'the journal does not have it as it is')
  return found.result(secret === '' ? 'nothing found' : (detectSecrets(text)[0]?.kind ?? ''))
}

function checkText(found: Findings, text: string, isSecret: boolean): void {
  const secret = secretOf(text)
  const masked = maskDetected(text)
  if (!isSecret) return found.demand(masked === text, `it became ${masked}`)
  found.demand(secret.length > 3 && !masked.includes(secret), `it is shown: ${masked}`)
}

/** The longest of what was found. */
const secretOf = (text: string): string =>
  detectSecrets(text)
    .map(({ index, length }) => text.slice(index, index + length))
    .reduce((longest, one) => (one.length > longest.length ? one : longest), '')

async function recordOfReading(text: string): Promise<string> {
  await using world = makeWorld()
  writeFileSync(join(world.root, 'file.txt'), `${text}\n`)
  const kit = await world.open({ contract: 'sage' })
  await kit.run('Read', { file: 'file.txt' })
  return world.journal()
}
