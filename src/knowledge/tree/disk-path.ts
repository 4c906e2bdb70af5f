import { nameFromBytes } from '../../machine/workspace/name.ts'

/** Converts a path of bytes (U+0000..U+00FF) for system calls. */
export const diskPath = (bytes: string): string | Buffer => (isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1'))

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

/** Decodes a name of bytes. */
export const textOf = (name: string): string => (isAscii(name) ? name : nameFromBytes(Buffer.from(name, 'latin1')))

/** Decodes a path of bytes. */
export const spelled = (bytes: string): string => (isAscii(bytes) ? bytes : bytes.split('/').map(textOf).join('/'))
