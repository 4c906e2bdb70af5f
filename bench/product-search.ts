import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { METRICS_FILES } from '../src/contracts/superconnect/metrics-file.ts'
import { connect, type Connection } from '../src/service/connect.ts'
import { ownBuild } from '../src/service/own-build.ts'
import { makePlace, placeOf } from '../src/service/place.ts'
import { searchThrough } from '../src/knowledge/answers/search-through.ts'
import { reachedSearch } from '../src/service/reached-search.ts'
import { searchAnswers } from '../src/knowledge/answers/search-answers.ts'
import { serve } from '../src/service/serve.ts'
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
  const search = searchAnswers({ tree, index, compileGlob, isForeign: foreignFiles(METRICS_FILES).matches })
  const served = await serve({
    place,
    build,
    answers: { ping: () => true, search },
    onClients: () => undefined,
    onLeave: () => undefined,
  })
  const root = openRoot(path)
  let line: Connection | undefined
  const resident = {
    reach: async () => (line = line?.isOpen() ? line : await connect(place, build)),
    close: () => line?.close(),
  }
  const indexed = searchThrough(reachedSearch(resident))
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
