import { describe, expect, it } from 'vitest'
import { longFunctions } from './long-functions.ts'
import { readModule } from './module.ts'
import { readRepository } from './repository.ts'

/** Functions that are still too long; none may be added, and one that got shorter goes. */
const LATER: readonly string[] = [
  'applyMade in src/machine/process/overlay/apply-made.ts',
  'callEffects in src/knowledge/code/effects/call-effects.ts',
  'codePart in src/knowledge/resident/code-part.ts',
  'commonExports in src/knowledge/model/javascript/common-exports.ts',
  'componentTags in src/knowledge/model/javascript/tags/component-tags.ts',
  'createDeclarations in src/knowledge/model/grammar/declarations.ts',
  'createFileTable in src/knowledge/index/table/file-table.ts',
  'createValueReader in src/knowledge/model/grammar/values.ts',
  'fakeGithub in src/testing/fake-github.ts',
  'importGraph in src/knowledge/code/effects/import-graph.ts',
  'indexChanges in src/knowledge/search/index/index-changes.ts',
  'judgeEdit in src/knowledge/code/effects/judge-edit.ts',
  'lineTransport in src/surfaces/mcp/line-transport.ts',
  'linkGraph in src/knowledge/code/graph/link-graph.ts',
  'liveServer in src/knowledge/code/servers/live-server.ts',
  'machineOf in src/session-machine.ts',
  'mutationsOf in src/machine/workspace/mutations.ts',
  'openConnection in src/knowledge/code/servers/connection.ts',
  'openEffects in src/knowledge/code/effects/open-effects.ts',
  'openEngines in src/engines/open-engines.ts',
  'openGraphHost in src/knowledge/code/graph/host/graph-host.ts',
  'openLayer in src/machine/process/overlay/layer.ts',
  'openLine in src/knowledge/resident/connect.ts',
  'openPack in src/knowledge/search/index/pack.ts',
  'openReading in src/machine/workspace/open-reading.ts',
  'openRepositoryIndex in src/knowledge/index/repository-index.ts',
  'openSearchIndex in src/knowledge/search/index/open-search-index.ts',
  'openSearchers in src/knowledge/search/index/searchers.ts',
  'openTree in src/knowledge/tree/open-tree.ts',
  'openWriter in src/machine/journal/writer.ts',
  'readLenient in src/machine/desk/lenient-json.ts',
  'residentIndex in src/knowledge/resident/resident-index.ts',
  'residentServers in src/knowledge/resident/resident-servers.ts',
  'runShower in src/knowledge/search/index/show-run.ts',
  'segmentCache in src/knowledge/search/index/segment-cache.ts',
  'serverIn in src/surfaces/mcp/create-mcp-server.ts',
  'serverPool in src/knowledge/code/servers/server-pool.ts',
  'steps in src/runtime/run.ts',
  'walk in src/machine/workspace/walk.ts',
]

describe('the functions of the sources', () => {
  it('have at most 100 lines', () => {
    const found = longFunctions(readRepository('src')).map(({ file, name }) => `${name} in ${file}`)
    expect(found.toSorted()).toEqual(LATER.toSorted())
  })
})

describe('the check of functions', () => {
  const found = (file: string, lines: number) =>
    longFunctions([readModule(file, `export const a = () => {\n${'\n'.repeat(lines - 2)}}`)])

  it('finds one over 100 lines, and in no test', () => {
    expect(found('src/a.ts', 100)).toEqual([])
    expect(found('src/a.ts', 101)).toEqual([{ file: 'src/a.ts', name: 'a', lines: 101 }])
    expect(found('src/a.test.ts', 101)).toEqual([])
  })
})
