import type { AnswerRoom } from '../../kernel/answer-room.ts'
import { largestFitting } from '../../kernel/largest-fitting.ts'
import type { ReadOptions, TextRead } from '../../machine/text/read-text.ts'

type ReadPart = (options: Pick<ReadOptions, 'truncateAt' | 'lines'>) => TextRead

/** A read that may be too much, and the size of its answer unless it is only a part. */
interface FirstRead {
  readonly first: TextRead
  readonly size: number | Promise<number> | undefined
}

/**
 * Reads as much of a file as fits: whole lines, or the beginning of a line that is too long. The first read took one
 * byte per character; if characters have several bytes, another read takes more.
 */
export async function readWithin(
  { first, size }: FirstRead,
  read: ReadPart,
  { most, sizeOf }: AnswerRoom,
  answerOf: (file: TextRead) => object,
): Promise<TextRead> {
  const isFitting = async (file: TextRead): Promise<boolean> => (await sizeOf(answerOf(file))) <= most
  const fileRead = first.truncated && isWide(first) ? read({ truncateAt: Math.ceil(most * widthOf(first)) }) : first
  if (size === undefined ? await isFitting(fileRead) : (await size) <= most) return fileRead
  const { content, from, lines: all } = fileRead
  const ends = [0, ...[...content.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lines = await largestFitting(Math.min(ends.length - 1, all), count =>
    isFitting(goingOn({ ...fileRead, content: content.slice(0, ends[count]), to: from + count - 1, truncated: false })),
  )
  if (lines > 0) return goingOn(read({ truncateAt: most * MOST_WIDTH, lines: { from, to: from + lines - 1 } }))
  const characters = await largestFitting(content.length, count =>
    isFitting({ ...fileRead, content: content.slice(0, count), next: { from, skip: Number.MAX_SAFE_INTEGER } }),
  )
  return read({ truncateAt: Math.max(1, bytesOf(content.slice(0, characters), fileRead)) })
}

const goingOn = (file: TextRead): TextRead =>
  file.truncated ? file : { ...file, truncated: true, next: { from: file.to + 1 } }

/** Most bytes of a file per UTF-16 unit of its text. */
const MOST_WIDTH = 4

const isWide = (file: TextRead): boolean => widthOf(file) > 1

const widthOf = (file: TextRead): number => bytesOf(file.content, file) / Math.max(1, file.content.length)

function bytesOf(text: string, { encoding }: TextRead): number {
  if (encoding.startsWith('utf-16')) return text.length * 2
  return encoding === 'utf-8' ? Buffer.byteLength(text) : text.length
}
