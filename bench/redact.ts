import { randomBytes } from 'node:crypto'
import { createRedactor } from '../src/guards/secrets/redact.ts'
import { times, type Bench } from './bench.ts'
import { interleave, median } from './sample.ts'

const MEGABYTES = 10
const SECRETS = 100
const CHUNK = 64 * 1024

/** What it costs to look for every secret in every encoding, in text that holds none and in text that holds some. */
export const redact: Bench = {
  about: `${MEGABYTES} MB with ${SECRETS} secrets, beside one plain search for each secret`,
  async run() {
    const values = Array.from({ length: SECRETS }, () => randomBytes(24).toString('base64url'))
    const secrets = new Map(values.map((value, at): [string, string] => [`KEY_${at}`, value]))
    const redactor = createRedactor(secrets)
    const clean = Buffer.from(source(MEGABYTES << 20))
    const holding = Buffer.from(clean)
    for (const [at, value] of values.entries()) holding.write(value, Math.floor((clean.length / SECRETS) * at))

    const samples = await interleave(
      {
        'whole, none found': () => redactor.bytes(clean),
        'whole, 100 found': () => redactor.bytes(holding),
        'stream, 64 KB chunks': () => stream(redactor.stream(), holding),
        'peer: indexOf, raw values only': () => values.map(value => holding.indexOf(value)),
      },
      { rounds: 7, warmUp: 1 },
    )
    const whole = median(samples['whole, none found']) / 1000
    const peer = median(samples['peer: indexOf, raw values only'])
    return {
      rows: Object.entries(samples).map(([what, taken]) => ({
        what,
        cells: {
          'median ms': median(taken) / 1000,
          'MB a second': (MEGABYTES / median(taken)) * 1e6,
          'to the peer': times(median(taken) / peer),
        },
      })),
      notes: ['the peer finds a secret only as it is; ours also in base64, hex, percent, JSON, HTML, shell and UTF-16'],
      goals: [
        {
          what: 'the whole, none found',
          limit: '< 200 ms',
          measured: `${whole.toFixed(0)} ms`,
          met: whole < 200,
        },
      ],
    }
  },
}

function stream(redacting: ReturnType<ReturnType<typeof createRedactor>['stream']>, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; at += CHUNK) redacting.push(bytes.subarray(at, at + CHUNK))
  redacting.end()
}

/** Text like source code, no two lines the same. */
function source(length: number): string {
  const lines: string[] = []
  for (let size = 0, at = 0; size < length; at++) {
    const line = `export const value${at} = compute('${(at * 2654435761).toString(36)}', { retries: ${at % 7} })\n`
    lines.push(line)
    size += line.length
  }
  return lines.join('').slice(0, length)
}
