import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { blobName } from '../../model/blob-name.ts'
import { modelKey } from '../../model/model-of.ts'
import { parseModel } from '../../model/parse-model.ts'
import type { FileModel } from '../../../languages/file-model/file-model.ts'

export interface CachedModels {
  of(path: string, bytes: Uint8Array): Promise<FileModel | undefined>
}

/**
 * Models of files by content, in the cache of the code graph: a file that another process has parsed is not parsed
 * again.
 */
export async function openCachedModels(directory: string | undefined): Promise<CachedModels & { close(): void }> {
  if (directory === undefined) return { of: parseModel, close() {} }
  const { openCodeCache } = await import('../graph/host/code-cache.ts')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const cache = openCodeCache(join(directory, 'code.sqlite'))
  const parsedModels = new Map<string, FileModel>()
  return {
    async of(path, bytes) {
      const key = `${blobName(bytes)}.${modelKey(path)}`
      const before = cache.get(key)
      if (before) return before
      const code = await parseModel(path, bytes)
      if (code) parsedModels.set(key, code)
      return code
    },
    close() {
      cache.put(parsedModels)
      cache.close()
    },
  }
}
