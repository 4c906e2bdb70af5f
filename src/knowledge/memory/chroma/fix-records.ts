import * as z from 'zod'
import { USUAL_CONFIDENCE, type Fix } from '../fix.ts'
import { embeddingTexts, searchedText } from '../text/embedding-texts.ts'
import type { Embedder, FixFilter } from '../types.ts'
import type { ChromaRecord, Metadata, Where } from './chroma-api.ts'

/** The fields of a fix that a collection made elsewhere may have under other names; `#document` is the record's text. */
export type FieldNames = Readonly<Partial<Record<MappedField, string | undefined>>>

type MappedField =
  | 'errorDescription'
  | 'rootCause'
  | 'solution'
  | 'language'
  | 'errorType'
  | 'confidence'
  | 'userValidated'
  | 'createdAt'
  | 'fixedIn'

const DOCUMENT = '#document'

/** Which of the vectors of a fix a record holds. The first has all of the fix. */
const PART = 'part'
const PART_OF = 'fix'
/** For a filter regardless of case. */
const TYPE_KEY = 'errorTypeKey'

/** Embeds fixes and returns their records. */
export async function embeddedRecords(
  embedder: Embedder,
  fixes: readonly Fix[],
  { isNew }: { readonly isNew: boolean },
  signal: AbortSignal,
): Promise<readonly ChromaRecord[]> {
  const texts = fixes.map(embeddingTexts)
  const vectors = await embedder.embed(texts.flat(), signal)
  let at = 0
  return fixes.flatMap((fix, which) => recordsOf(fix, vectors.slice(at, (at += texts[which]?.length ?? 0)), isNew))
}

/** Returns the records of a fix: one for each of its vectors, the first with all that is known. */
function recordsOf(fix: Fix, vectors: readonly Float32Array[], isNew: boolean): readonly ChromaRecord[] {
  const filterFields = {
    language: fix.language,
    [TYPE_KEY]: fix.errorType.toLowerCase(),
    confidence: fractional(fix.confidence),
    userValidated: fix.userValidated,
  }
  const { id, attempts, ...fields } = fix
  const whole: Metadata = {
    // The server merges what it is sent into what it has; a new record may not be sent null.
    ...(!isNew && { commit: null, transaction: null, diff: null, attempts: null }),
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    ...(attempts && { attempts: JSON.stringify(attempts) }),
  }
  return vectors.map((vector, part) => ({
    id: partId(id, part),
    document: part === 0 ? searchedText(fix) : '',
    metadata: { ...(part === 0 ? whole : {}), ...filterFields, [PART]: part, [PART_OF]: id },
    embedding: [...vector],
  }))
}

/**
 * Chroma keeps whole numbers apart from fractions, also in a field that had the other before: 0 and 1 are stored next to
 * what they are.
 */
const fractional = (share: number): number => Math.min(1 - NEXT_TO, Math.max(NEXT_TO, share))

const NEXT_TO = 1e-9

/** Returns the ids of records that a fix may have had when its text had more parts. */
export const staleIds = (fix: Fix): readonly string[] => partIds(fix.id).slice(embeddingTexts(fix).length)

export const partIds = (id: string): readonly string[] => [0, 1, 2].map(part => partId(id, part))

/** An id of a fix has no control character, so that no part has the id of another fix. */
const partId = (id: string, part: number): string => (part === 0 ? id : `${id}\u001F${part}`)

/** Returns the id of the fix that a record belongs to. */
export const fixIdOf = ({ id, metadata }: Pick<ChromaRecord, 'id' | 'metadata'>): string => {
  const owner = metadata[PART_OF]
  return typeof owner === 'string' ? owner : id
}

/** Reports whether a filter or the order of a list needs the text of records. */
export const needsText = (names: FieldNames | undefined): boolean =>
  names !== undefined &&
  (['language', 'errorType', 'confidence', 'userValidated', 'createdAt'] as const).some(
    field => names[field] === DOCUMENT,
  )

export const isWhole = ({ metadata }: ChromaRecord): boolean => metadata[PART] === undefined || metadata[PART] === 0

const attemptsForm = z.array(z.object({ tried: z.string(), failed: z.string().catch('') }))

/** Reads a record as a fix. What a record of another program lacks gets the default of a new fix. */
export function fixOf(record: ChromaRecord, names: FieldNames | undefined): Fix {
  const { id, document, metadata } = record
  const field = (name: MappedField): unknown => {
    const key = names?.[name] ?? name
    return key === DOCUMENT ? document : metadata[key]
  }
  const text = (name: MappedField, fallback = ''): string => {
    const value = field(name)
    return value === undefined || value === null ? fallback : String(value)
  }
  const ownField = (name: string): string | undefined => {
    const value = names ? undefined : metadata[name]
    return typeof value === 'string' ? value : undefined
  }
  const confidence = field('confidence')
  const [commit, transaction, diff] = [ownField('commit'), ownField('transaction'), ownField('diff')]
  const attempts = attemptsIn(ownField('attempts'))
  return {
    id,
    errorDescription: text('errorDescription', document),
    rootCause: text('rootCause'),
    solution: text('solution'),
    language: text('language').toLowerCase(),
    errorType: text('errorType'),
    confidence: typeof confidence === 'number' ? shareOf(confidence) : USUAL_CONFIDENCE,
    userValidated: [true, 1, 'true'].includes(field('userValidated') as never),
    createdAt: text('createdAt', new Date(0).toISOString()),
    fixedIn: text('fixedIn'),
    ...(commit !== undefined && { commit }),
    ...(transaction !== undefined && { transaction }),
    ...(diff !== undefined && { diff }),
    ...(attempts && { attempts }),
  }
}

const shareOf = (value: number): number => Math.min(1, Math.max(0, Number(value.toFixed(6))))

function attemptsIn(text: string | undefined): Fix['attempts'] {
  if (text === undefined) return undefined
  try {
    return attemptsForm.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Returns Chroma's form of a filter for records of ours, `wholeOnly` for those that hold all of a fix. */
export function whereOf(filter: FixFilter, wholeOnly: boolean): Where | undefined {
  const { language, errorType, minConfidence, userValidated } = filter
  const conditions: Where[] = [
    ...(language === undefined ? [] : [{ language: language.toLowerCase() }]),
    ...(errorType === undefined ? [] : [{ [TYPE_KEY]: errorType.toLowerCase() }]),
    ...(minConfidence === undefined || minConfidence <= 0
      ? []
      : [{ confidence: { $gte: Math.min(minConfidence, 1 - 2 * NEXT_TO) } }]),
    ...(userValidated === undefined ? [] : [{ userValidated }]),
    ...(wholeOnly ? [{ [PART]: 0 }] : []),
  ]
  return conditions.length > 1 ? { $and: conditions } : conditions[0]
}

/** Reports whether a fix passes a filter. */
export const passes = (fix: Fix, { language, errorType, minConfidence = 0, userValidated }: FixFilter): boolean =>
  (language === undefined || fix.language.toLowerCase() === language.toLowerCase()) &&
  (errorType === undefined || fix.errorType.toLowerCase() === errorType.toLowerCase()) &&
  (userValidated === undefined || fix.userValidated === userValidated) &&
  fix.confidence >= minConfidence
