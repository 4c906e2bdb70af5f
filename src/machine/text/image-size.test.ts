import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imageType, type ImageType } from './encoding.ts'
import { imageSize } from './image-size.ts'
import { IMAGES } from '../../../tests/text/images.ts'

const TYPES: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

describe('imageType', () => {
  it.each(IMAGES)('knows $name by its content', ({ type, bytes }) => {
    expect(imageType(bytes)).toBe(type)
  })

  it.each(['GIF89a is a format', 'RIFF, WEBP and others', '<svg xmlns="http://www.w3.org/2000/svg"/>', ''])(
    'takes %j for no image',
    text => {
      expect(imageType(Buffer.from(text))).toBeUndefined()
    },
  )
})

describe('imageSize', () => {
  it.each(IMAGES)('measures $name', ({ type, bytes, width, height }) => {
    expect(imageSize(type, bytes)).toEqual({ width, height })
  })

  it.each(IMAGES)('says nothing of $name where its header is cut off', ({ type, bytes, header }) => {
    for (let length = 0; length < header; length++) expect(imageSize(type, bytes.subarray(0, length))).toBeUndefined()
  })

  it('says nothing of an image without width or height', () => {
    expect(imageSize('image/gif', Buffer.from('GIF89a\0\0\x01\0'))).toBeUndefined()
  })

  it('ends with segments that have no length, or lead out of the file', () => {
    const start = [0xff, 0xd8, 0xff, 0xe0]
    for (const length of [0, 1, 0xffff])
      expect(
        imageSize('image/jpeg', Buffer.from([...start, length >> 8, length & 0xff, 0, 0, 0, 0, 0, 0])),
      ).toBeUndefined()
    expect(imageSize('image/jpeg', Buffer.alloc(100_000, 0xff))).toBeUndefined()
  })

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), fc.uint8Array({ maxLength: 64 }), (type, bytes) => {
        const size = imageSize(type, Buffer.from(bytes))
        expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true)
      }),
    )
  })
})
