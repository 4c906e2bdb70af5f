import { existsSync } from 'node:fs'
import { queryVector } from '../query-vector.ts'
import type { Embedder, StoreCheck } from '../types.ts'
import type { OpenFixes } from './open-fixes.ts'

/** A model may have to be loaded first. */
const EMBED_MS = 30_000

/** Checks the file, what is derived from it, and the embedder. */
export async function checkStore(
  file: string,
  embedder: Embedder,
  use: <T>(work: (fixes: OpenFixes) => T) => T,
  signal: AbortSignal,
): Promise<readonly StoreCheck[]> {
  const checks: StoreCheck[] = []
  const check = (name: string, work: () => Omit<StoreCheck, 'name'>): void => {
    try {
      checks.push({ name, ...work() })
    } catch (error) {
      checks.push({ name, ok: false, ...describeError(error) })
    }
  }
  if (existsSync(file)) {
    check('file', () => use(integrityOf(file)))
    check('words', () => use(wordsAreWhole))
    check('vectors', () =>
      use(({ tables, spaces }) => {
        const ownSpace = spaces.of(embedder)
        const missing = ownSpace ? spaces.countMissing(ownSpace.space) : tables.count()
        const message = `with vectors of ${embedder.name}: ${tables.count() - missing} of ${tables.count()}`
        return missing === 0
          ? { ok: true, message }
          : {
              ok: false,
              message,
              hint: 'A server makes them in the background. To make them now, run toolwright fixes doctor --repair',
            }
      }),
    )
  } else checks.push({ name: 'file', ok: true, message: `${file} is not there yet: no fix was recorded` })
  try {
    const { length } = await queryVector(embedder, 'a text', signal, EMBED_MS)
    checks.push({ name: 'embedder', ok: true, message: `${embedder.name} gives vectors of ${length} numbers` })
  } catch (error) {
    checks.push({ name: 'embedder', ok: false, ...describeError(error) })
  }
  return checks
}

const integrityOf =
  (file: string) =>
  ({ database, tables }: OpenFixes): Omit<StoreCheck, 'name'> => {
    const [row] = database.prepare('PRAGMA integrity_check(1)').all()
    const verdict = String(row?.['integrity_check'])
    return verdict === 'ok'
      ? { ok: true, message: `${file} is sound; fixes: ${tables.count()}` }
      : { ok: false, message: `${file} is damaged: ${verdict}`, hint: 'Run toolwright fixes doctor --repair' }
  }

function wordsAreWhole({ database, tables }: OpenFixes): Omit<StoreCheck, 'name'> {
  database.exec("INSERT INTO words (words) VALUES ('integrity-check')")
  const indexedCount = Number(database.prepare('SELECT count(*) AS count FROM words_docsize').get()?.['count'])
  const all = tables.count()
  return indexedCount === all
    ? { ok: true, message: `indexed by words: ${all} of ${all}` }
    : {
        ok: false,
        message: `indexed by words: ${indexedCount} of ${all}`,
        hint: 'Run toolwright fixes doctor --repair',
      }
}

const describeError = (error: unknown): { readonly message: string; readonly hint?: string } => {
  const hint: unknown = Reflect.get(Object(error), 'hint')
  return { message: error instanceof Error ? error.message : String(error), ...(typeof hint === 'string' && { hint }) }
}
