import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { METRICS_FILES } from '../src/contracts/superconnect/metrics-file.ts'
import { connect, type Connection } from '../src/knowledge/resident/connect.ts'
import { ownBuild } from '../src/knowledge/resident/own-build.ts'
import { makePlace, placeOf } from '../src/knowledge/resident/place.ts'
import { residentSearch } from '../src/knowledge/resident/resident-search.ts'
import { searchPart } from '../src/knowledge/resident/search-part.ts'
import { serve } from '../src/knowledge/resident/serve.ts'
import { foreignFiles } from '../src/knowledge/search/foreign-files.ts'
import { openSearch } from '../src/knowledge/search/open-search.ts'
import type { SearchEngine } from '../src/knowledge/search/types.ts'
import { openRoot } from '../src/machine/workspace/root.ts'
import { createStaging } from '../src/machine/workspace/staging.ts'
import { compileGlob } from '../src/guards/glob.ts'
import { readsBelow } from '../src/kernel/claim.ts'
import type { OpenedIndex } from './opened-index.ts'

/** The search of the product over an index that is open here: asked at a socket, and by a scan where it cannot answer. */
export interface ProductSearch extends AsyncDisposable {
  /** The engine of one more call. */
  engine(): SearchEngine
}

export async function productSearch(path: string, { tree, index }: OpenedIndex): Promise<ProductSearch> {
  const state = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-search-')))
  const build = ownBuild()
  const place = placeOf(state, build)
  makePlace(place)
  const part = searchPart({ tree, index, compileGlob, isForeign: foreignFiles(METRICS_FILES).matches })
  const parts = [{ answers: { ping: () => true } }, part]
  const served = await serve({ place, build, parts, onClients: () => undefined, onLeave: () => undefined })
  const root = openRoot(path)
  let line: Connection | undefined
  const resident = {
    reach: async () => (line = line?.isOpen() ? line : await connect(place, build)),
    close: () => line?.close(),
  }
  const indexed = residentSearch(resident)
  return {
    engine: () =>
      openSearch({
        root,
        staging: createStaging(),
        claims: readsBelow('.'),
        mayRead: () => true,
        mayList: () => true,
        secretFiles: 'open',
        hides: undefined,
        compileGlob,
        foreign: foreignFiles(METRICS_FILES),
        reference: () => Buffer.alloc(0),
        indexed: indexed(),
      }),
    async [Symbol.asyncDispose]() {
      resident.close()
      await served.close()
      root.close()
      rmSync(state, { recursive: true, force: true })
    },
  }
}
