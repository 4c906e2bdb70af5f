import { nameFromBytes } from '../../machine/workspace/name.ts'

/** Converts a path of bytes (U+0000..U+00FF) for system calls. */
export const diskPath = (bytes: string): string | Buffer => (isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1'))

/** Counts natively: most processes end before a loop over characters is compiled. */
export const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length

/** Decodes a name of bytes. */
export const textOf = (name: string): string => (isAscii(name) ? name : nameFromBytes(Buffer.from(name, 'latin1')))

/** Decodes a path of bytes. */
export const decodePath = (bytes: string): string => (isAscii(bytes) ? bytes : bytes.split('/').map(textOf).join('/'))
