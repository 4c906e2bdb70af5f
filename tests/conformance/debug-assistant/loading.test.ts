// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../../src/testing/index.ts'
import { needs } from '../../needs.ts'
import { slowModel } from '../../slow-model.ts'
import { failure, rigWith } from './rig.ts'

const served = needs('bubblewrap')
/** What is loading does so for longer than a call may take. */
const [TIME_MS, LOAD_MS] = [4_000, 6_000]
const TIMEOUTS = { 'debug-assistant/*': TIME_MS }
/** Waits, and says nothing, for longer than a test takes. */
const DEAF = 'deaf 600000'

const FAKE_SERVER = readFileSync(join(import.meta.dirname, '../../code/fakes/server.mjs'), 'utf8')
const FILES = { 'server.mjs': FAKE_SERVER, 'a.fake': 'fn main\n  main()\n', 'a.php': '<?php\nfunction main() {}\n' }
const SERVER = {
  language: 'fake',
  command: process.execPath,
  args: ['server.mjs'],
  extensions: ['fake', 'php'],
}
const CONFIG = { languageServers: [SERVER], timeouts: TIMEOUTS }

describe('a language server that loads', () => {
  served.each([
    ['says how far it is', `load ${LOAD_MS}`, /^fake: Indexing \d+\/40 files/m],
    ['says nothing', `deaf ${LOAD_MS}`, /^Waiting for the language server of a\.fake$/m],
  ])(
    'DA-07: takes no time of the call, and shows its progress (%s)',
    async (_what, mode, progress) => {
      await using rig = await rigWith({ ...FILES, 'mode.txt': mode }, CONFIG)
      const shown: string[] = []
      const parameters = { functionName: 'main', filePath: 'a.fake' }
      const onProgress = (text: string): void => void shown.push(text)
      expect(await rig.call('find_callers_of_function', parameters, { onProgress })).toStrictEqual({
        success: true,
        // Without `certainty`: the server answered, and the text did not.
        data: { ...parameters, callers: [], totalCallers: 0 },
      })
      expect(shown.join('\n')).toMatch(progress)
    },
    120_000,
  )

  served.each(['a.fake', 'a.php'])('DA-07: is LSP_UNAVAILABLE when it has loaded for `loadMs` (%s)', async filePath => {
    await using rig = await rigWith({ ...FILES, 'mode.txt': DEAF }, { ...CONFIG, loadMs: 1_000 })
    expect(await rig.call('find_callers_of_function', { functionName: 'main', filePath })).toStrictEqual(
      failure(
        'LSP_UNAVAILABLE',
        expect.stringMatching(/^The language server 'fake' .* when the time for loading was over\. .*"loadMs"/),
      ),
    )
  })
})

describe('an embedding model that loads', () => {
  const FIX = { errorDescription: 'ECONNREFUSED at start', rootCause: 'No database', solution: 'Start it' }
  const QUERY = { query: 'ECONNREFUSED at start' }

  /** A memory of one fix, whose model loads anew in each toolkit. */
  async function slowMemory(config: object) {
    const workspace = temporaryWorkspace()
    const model = slowModel(join(workspace.base, 'model'))
    const file = join(workspace.base, 'config.json')
    writeFileSync(
      file,
      JSON.stringify({ memory: { embedder: { onnx: model.directory } }, timeouts: TIMEOUTS, ...config }),
    )
    const own = await workspace.open({ config: file, permissions: ['fs:write'] })
    const [stored] = await Promise.all([own.call('remember', FIX), model.feed(0)])
    expect(stored).toMatchObject({ ok: true, data: { stored: true } })
    await own.close()
    return {
      model,
      open: (contract: 'debug-assistant' | 'toolwright') => workspace.open({ contract, config: file }),
      async [Symbol.asyncDispose]() {
        model[Symbol.dispose]()
        await workspace.remove()
      },
    }
  }

  it('DA-08: takes no time of the call, and shows that it loads', async () => {
    // On a loaded machine the model itself takes long to load.
    await using memory = await slowMemory({ loadMs: 100_000 })
    const kit = await memory.open('debug-assistant')
    const shown: string[] = []
    const onProgress = (text: string): void => void shown.push(text)
    const [answer] = await Promise.all([
      kit.call('vector_search_db', QUERY, { onProgress }),
      memory.model.feed(LOAD_MS),
    ])
    expect(answer).toMatchObject({ success: true, data: { results: [FIX], totalFound: 1 } })
    expect(shown).toEqual([expect.stringMatching(/^Loading the model onnx:model:/)])
  }, 120_000)

  it('DA-08: is EMBEDDING_FAILED when it has loaded for `loadMs`', async () => {
    await using memory = await slowMemory({ loadMs: 500 })
    const kit = await memory.open('debug-assistant')
    expect(await kit.call('vector_search_db', QUERY)).toStrictEqual(
      failure(
        'EMBEDDING_FAILED',
        expect.stringMatching(/^onnx:model:\d+ was still loading after 0\.5 seconds\. .*"loadMs"/),
      ),
    )
  }, 60_000)

  it('lets words answer a caller that waits for less, and the model once it is ready', async () => {
    await using memory = await slowMemory({})
    const kit = await memory.open('toolwright')
    expect(await kit.call('fixes', QUERY, { waitMs: 500 })).toMatchObject({
      ok: true,
      data: {
        fixes: [FIX],
        byWords: expect.stringMatching(/^onnx:model:\d+ is still loading: ask again to search by meaning$/),
      },
    })
    const [answer] = await Promise.all([kit.call('fixes', QUERY), memory.model.feed(0)])
    expect(Object(answer).data.fixes).toEqual([expect.objectContaining({ ...FIX, similarity: expect.any(Number) })])
    expect(Object(answer).data).not.toHaveProperty('byWords')
  }, 120_000)
})
