import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { blobName } from '../symbols/blob-name.ts'
import { codeKey, codeOf } from '../symbols/code-of.ts'
import type { FileCode } from '../symbols/file-code.ts'

export interface KeptCode {
  of(path: string, bytes: Uint8Array): Promise<FileCode | undefined>
}

/** What files say, kept by content beside what the code graph keeps: a file that another process has parsed is not parsed again. */
export async function keptCode(directory: string | undefined): Promise<KeptCode & { close(): void }> {
  if (directory === undefined) return { of: codeOf, close() {} }
  const { openCodeCache } = await import('../graph/host/code-cache.ts')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const cache = openCodeCache(join(directory, 'code.sqlite'))
  const found = new Map<string, FileCode>()
  return {
    async of(path, bytes) {
      const key = `${blobName(bytes)}.${codeKey(path)}`
      const before = cache.get(key)
      if (before) return before
      const code = await codeOf(path, bytes)
      if (code) found.set(key, code)
      return code
    },
    close() {
      cache.put(found)
      cache.close()
    },
  }
}
