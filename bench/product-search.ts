import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMetricsFile, METRICS_FILES } from '../src/contracts/superconnect/metrics-file.ts'
import { connect, type Connection } from '../src/engines/resident/connect.ts'
import { ownBuild } from '../src/engines/resident/own-build.ts'
import { makePlace, placeOf } from '../src/engines/resident/place.ts'
import { residentSearch } from '../src/engines/resident/resident-search.ts'
import { searchPart } from '../src/engines/resident/search-part.ts'
import { serve } from '../src/engines/resident/serve.ts'
import { foreignFiles } from '../src/engines/search/foreign-files.ts'
import { openSearch } from '../src/engines/search/open-search.ts'
import type { SearchEngine } from '../src/engines/search/types.ts'
import { openRoot } from '../src/engines/workspace/root.ts'
import { createStaging } from '../src/engines/workspace/staging.ts'
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
  const part = searchPart({ tree, index, compileGlob, isForeign: isMetricsFile })
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
