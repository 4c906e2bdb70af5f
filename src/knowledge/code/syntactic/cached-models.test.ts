import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCodeCache } from '../graph/host/code-cache.ts'
import { blobName } from '../../model/blob-name.ts'
import { EMPTY_MODEL } from '../../../languages/file-model/file-model.ts'
import { openCachedModels } from './cached-models.ts'

describe('openCachedModels', () => {
  const content = Buffer.from('package shop\n\nfun total() = price()\n')
  const kotlinKey = `${blobName(content)}.kt`
  let base: string
  let directory: string
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'toolwright-kept-'))
    directory = join(base, 'not-yet-there')
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  /** Uses the cache that the code is kept in. */
  const inCache = <T>(use: (cache: ReturnType<typeof openCodeCache>) => T): T => {
    const cache = openCodeCache(join(directory, 'code.sqlite'))
    try {
      return use(cache)
    } finally {
      cache.close()
    }
  }

  it('keeps what it parsed under the content of the file', async () => {
    const kept = await openCachedModels(directory)
    const parsed = await kept.of('Cart.kt', content)
    kept.close()
    expect(parsed?.symbols.map(({ name }) => name)).toEqual(['total'])
    expect(inCache(cache => cache.get(kotlinKey))).toEqual(parsed)
  })

  describe('where something is kept for a content', () => {
    // It says what no parser would, so that it shows whether the content was parsed again.
    beforeEach(() => {
      mkdirSync(directory)
      inCache(cache => cache.put(new Map([[kotlinKey, { language: 'kotlin', ...EMPTY_MODEL, package: 'from-cache' }]])))
    })

    it('gives it for any file of that content, without parsing it', async () => {
      const kept = await openCachedModels(directory)
      expect((await kept.of('Renamed.kt', content))?.package).toBe('from-cache')
      kept.close()
    })

    it('does not give it for a file of another language', async () => {
      const kept = await openCachedModels(directory)
      expect((await kept.of('Cart.java', content))?.package).not.toBe('from-cache')
      kept.close()
    })
  })
})
