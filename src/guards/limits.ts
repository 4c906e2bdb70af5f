import { largestFitting } from '../kernel/largest-fitting.ts'
import { extentOf, shrink, WHOLE, type Caps, type StoredText, isCutLength } from './shrink.ts'

/** How an answer is cut to size. */
interface BoundOptions {
  /** Reports whether an answer is small enough. */
  readonly fits: (data: unknown) => boolean | Promise<boolean>
  /** Stores the whole and returns the id under which `ref:ID` finds it; called only if something is cut. */
  readonly keep: (whole: string) => string
  /** Texts that are a part of something stored. */
  readonly stored?: ReadonlyMap<string, StoredText>
  /** Reports whether the answer may set `next` to where it continues; called only if something is cut. */
  readonly pages?: () => boolean
  /** Long texts also keep part of their end. */
  readonly keepsEnd?: boolean
}

interface Bounded {
  /** The answer in the same shape, with long texts and lists cut. */
  readonly data: unknown
  readonly cut: boolean
  /** The size of the answer before the cut: of what is stored, if that is all, else of its JSON. */
  readonly bytes: number
  readonly ref?: string
}

/** As long as the id of any stored text. */
const SOME_ID = '0'.repeat(64)
/**
 * How many items of lists stay beside a text that is too long on its own: the first number that leaves it some room.
 */
const ITEMS_BESIDE_TEXT = [100, 10, 1]
const SOME_ROOM = 1_000

/**
 * Cuts an answer as little as possible. Lists lose their end first. If that is not enough, long texts are cut to the
 * remaining room, with a line that says how much is left and where. Everything keeps its type. An answer with a
 * `truncated` field sets it.
 */
export async function bound(
  data: unknown,
  { fits, keep, pages, keepsEnd = false, stored = new Map() }: BoundOptions,
): Promise<Bounded> {
  const bytes = Buffer.byteLength(JSON.stringify(data) ?? '')
  if (await fits(data)) return { data, cut: false, bytes }
  const hasNext = isPage(data) && (pages?.() ?? false)
  const cutBy = (caps: Caps, ref: string): unknown => {
    const whole = (text: string) => stored.get(text) ?? { ref, bytes: Buffer.byteLength(text) }
    return withPageFields(data, shrink(data, caps, whole, keepsEnd), hasNext)
  }
  const caps = await capsFor(data, small => fits(cutBy(small, SOME_ID)))
  const alone = stored.get(cutTextAlone(data, caps) ?? '')
  const ref = alone?.ref ?? keep(wholeOf(data, caps))
  return { data: cutBy(caps, ref), cut: true, bytes: alone?.bytes ?? bytes, ref }
}

/** Returns the largest caps that fit. */
async function capsFor(data: unknown, fits: (caps: Caps) => boolean | Promise<boolean>): Promise<Caps> {
  const { items: longest, text: widest } = extentOf(data)
  const items = await largestFitting(longest, most => fits({ items: most, text: WHOLE }))
  if (items > 0) return { items, text: WHOLE }
  for (const beside of ITEMS_BESIDE_TEXT) {
    const text = await largestFitting(widest, most => fits({ items: beside, text: most }))
    if (text >= SOME_ROOM) return { items: beside, text }
  }
  return { items: 0, text: Math.max(0, await largestFitting(widest, most => fits({ items: 0, text: most }))) }
}

/** Updates the page fields of an answer if one of its lists lost its end. */
function withPageFields(whole: unknown, small: unknown, hasNext: boolean): unknown {
  const [before, now]: Record<string, unknown>[] = [Object(whole), Object(small)]
  if (!before || !isPage(before)) return small
  const lists = Object.keys(before).flatMap(key => {
    const [all, shorter] = [before[key], now?.[key]]
    return Array.isArray(all) && Array.isArray(shorter) && shorter.length < all.length
      ? [[all.length, shorter.length]]
      : []
  })
  const [[all = 0, shownCount = 0] = []] = lists
  if (lists.length === 0) return small
  const end = before['next'] === undefined ? before['total'] : Object(before['next']).skip
  const fields: Record<string, unknown> = { ...now, truncated: true }
  delete fields['next']
  const isKnown = hasNext && lists.length === 1 && shownCount > 0 && Number.isInteger(end) && end >= all
  return isKnown ? { ...fields, next: { skip: end - all + shownCount } } : fields
}

/** Reports whether this is a page of a list. `next` means something else elsewhere, such as in a part of a file. */
function isPage(data: unknown): boolean {
  const { truncated, next } = Object(data)
  return typeof truncated === 'boolean' && (next === undefined || Object.keys(Object(next)).join() === 'skip')
}

/**
 * Returns the whole of a cut answer as it is stored. Long texts and lists of texts beside them stay plain, so that they
 * can be read by lines; anything else becomes indented JSON.
 */
function wholeOf(data: unknown, caps: Caps): string {
  if (typeof data === 'string') return data
  const cut = Object.entries(Object(data)).filter(([, value]) => isCut(value, caps))
  const parts = cut.flatMap(([title, value]) => {
    const text = textOf(value)
    return text === undefined ? [] : [{ title, text }]
  })
  const hasText = cut.some(([, value]) => typeof value === 'string')
  if (!hasText || parts.length < cut.length) return JSON.stringify(data, null, 2)
  return parts.length === 1
    ? parts.map(({ text }) => text).join('')
    : parts.map(({ title, text }) => `${title}:\n${text.replace(/\n?$/, '\n')}`).join('')
}

/** Returns the text that is cut, if nothing else of the answer is. */
function cutTextAlone(data: unknown, caps: Caps): string | undefined {
  const [first, ...others] = Object.values(Object(data)).filter(value => isCut(value, caps))
  return others.length === 0 && typeof first === 'string' ? first : undefined
}

function isCut(value: unknown, { items, text }: Caps): boolean {
  if (typeof value === 'string') return isCutLength(value.length, text)
  const extent = extentOf(value)
  return extent.items > items || isCutLength(extent.text, text)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every(each => typeof each === 'string') ? value.join('\n') : undefined
}
