import { imageSize } from '../../machine/text/image-size.ts'
import type { TextRead } from '../../machine/text/read-text.ts'

type Media = NonNullable<TextRead['media']>

/** What the answer has instead of lines: a sentence that describes the image, and the image itself. */
export function imageAnswer({ type, bytes, head }: Media, size: number, largest: number) {
  const measured = imageSize(type, bytes ?? head)
  const name = type.slice('image/'.length)
  const facts = [
    `${name === 'webp' ? 'WebP' : name.toUpperCase()} image`,
    ...(measured ? [`${measured.width} × ${measured.height}`] : []),
    `${size.toLocaleString('en')} bytes`,
    ...(bytes ? [] : [`too large to be given (at most ${largest.toLocaleString('en')} bytes)`]),
  ]
  return {
    content: facts.join(', '),
    media: { type, ...measured, ...(bytes && { data: bytes.toString('base64') }) },
  }
}
