import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCodeCache } from '../graph/host/code-cache.ts'
import { blobName } from '../symbols/blob-name.ts'
import { NO_CODE } from '../symbols/file-code.ts'
import { keptCode } from './kept-code.ts'

it('what was read once is found by its content, by whoever asks next', async () => {
  const base = mkdtempSync(join(tmpdir(), 'toolwright-kept-'))
  try {
    const directory = join(base, 'code')
    const bytes = Buffer.from('package a\n\nfun one() = two()\n')
    const first = await keptCode(directory)
    const found = await first.of('a.kt', bytes)
    expect(found?.symbols.map(({ name }) => name)).toEqual(['one'])
    first.close()

    // Something else under the same name would be believed: it is not parsed again.
    const cache = openCodeCache(join(directory, 'code.sqlite'))
    expect(cache.get(`${blobName(bytes)}.kt`)).toEqual(found)
    cache.put(new Map([[`${blobName(bytes)}.kt`, { language: 'kotlin', ...NO_CODE, package: 'kept' }]]))
    cache.close()
    const second = await keptCode(directory)
    expect((await second.of('b.kt', bytes))?.package).toBe('kept')
    expect((await second.of('b.java', bytes))?.package).not.toBe('kept')
    second.close()
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
})
