import { CannotRun, type Result, type Row, type RunRow } from '../row.ts'
import { makeWorld } from '../world.ts'
import { channelRow } from './secret-channels.ts'
import { injectionRow } from './secret-injection.ts'
import { policyRow } from './secret-policy.ts'
import { chunkRow, redactionRow, speedRow, type Place } from './secret-redaction.ts'
import { shapeRow } from './secret-shapes.ts'

export interface SecretRow extends Row {
  readonly secret?: string
  readonly input?: string
  readonly result?: string | null
  readonly stage?: string
  readonly call?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  readonly transform?: string
  readonly output?: string
  readonly output_b64?: string
  readonly chunks_b64?: readonly string[]
  readonly channel?: string
  readonly size_bytes?: number
  readonly secrets_loaded?: number
  /** What passing much output through may take. */
  readonly budget_ms?: number
  readonly kind?: string
  /** Joined when the row runs, so that no scanner finds a secret in the corpus. */
  readonly parts?: readonly string[]
  /** Values that are secret in this row alone, beside those of the corpus. */
  readonly store?: Readonly<Record<string, string>>
}

/** What every kind of row needs: the values that are secret, and what the guide says of them. */
export interface SecretWorld {
  readonly values: ReadonlyMap<string, string>
  readonly guide: string
}

/** What a row is about shows in the fields that it has. */
export function secretRows(shared: SecretWorld): RunRow {
  let place: Promise<Place> | undefined
  const run = async (row: Row): Promise<Result> => {
    const secretRow = row as SecretRow
    const world = { ...shared, values: new Map([...shared.values, ...Object.entries(secretRow.store ?? {})]) }
    const { secret } = secretRow
    if (secret !== undefined && !world.values.has(secret)) throw new CannotRun(`there is no secret '${secret}'`)
    if (secretRow.call) return policyRow(secretRow, secretRow.call, world)
    if (secretRow.input !== undefined) return injectionRow(secretRow, secretRow.input, world)
    if (secretRow.parts) return shapeRow(secretRow, secretRow.parts.join(''), secretRow.parts[0] ?? '')
    if (secretRow.channel !== undefined) return channelRow(secretRow, secretRow.channel, world)
    if (secretRow.chunks_b64) return chunkRow(secretRow, secretRow.chunks_b64, world)
    if (secretRow.size_bytes !== undefined) return speedRow(secretRow, secretRow.size_bytes, world)
    if (secretRow.store === undefined) return redactionRow(secretRow, world, await (place ??= openPlace()))
    // What is a secret in this row alone may stand in what other rows left.
    await using own = makeWorld()
    return await redactionRow(secretRow, world, { world: own, kit: await own.open() })
  }
  return Object.assign(run, { close: async () => (await place)?.world[Symbol.asyncDispose]() })
}

async function openPlace(): Promise<Place> {
  const world = makeWorld()
  return { world, kit: await world.open() }
}
