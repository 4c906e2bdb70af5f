import type { ImageType } from '../../src/machine/text/encoding.ts'

interface Image {
  readonly name: string
  readonly type: ImageType
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  /** How many of its bytes say how large it is. */
  readonly header: number
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** A whole PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const BEFORE_FRAME = '\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xff\xdb\0\x04\0\0'
const FRAME = '\xff\xc2\0\x11\x08\x01\xe0\x02\x80\x03'

/** The beginnings of images as programs write them. */
export const IMAGES: readonly Image[] = [
  { name: 'PNG', type: 'image/png', bytes: PIXEL, width: 1, height: 1, header: 24 },
  {
    name: 'JPEG',
    type: 'image/jpeg',
    bytes: latin1(`${BEFORE_FRAME}${FRAME}`),
    width: 640,
    height: 480,
    header: BEFORE_FRAME.length + 9,
  },
  {
    name: 'GIF',
    type: 'image/gif',
    bytes: latin1('GIF89a\x80\x02\xe0\x01\0\0\0'),
    width: 640,
    height: 480,
    header: 10,
  },
  {
    name: 'WebP with an extended header',
    type: 'image/webp',
    bytes: latin1('RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x7f\x02\0\xdf\x01\0'),
    width: 640,
    height: 480,
    header: 30,
  },
  {
    name: 'lossless WebP',
    type: 'image/webp',
    bytes: latin1('RIFF\x1a\0\0\0WEBPVP8L\x0a\0\0\0\x2f\x7f\xc2\x77\0'),
    width: 640,
    height: 480,
    header: 25,
  },
  {
    name: 'lossy WebP',
    type: 'image/webp',
    bytes: latin1('RIFF\x1a\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x80\x02\xe0\x01'),
    width: 640,
    height: 480,
    header: 30,
  },
]
