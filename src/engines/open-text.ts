import type { Claim } from '../kernel/claim.ts'
import type { TextEngine } from './engines.ts'
import type { IndexEngine } from './index/types.ts'
import { keptFile } from './journal/kept-file.ts'
import type { Payloads } from './journal/payloads.ts'
import { referenceId } from './journal/reference.ts'
import { replaceText } from './text/edit/replace-text.ts'
import { spliceText } from './text/edit/splice-text.ts'
import { keptRead } from './text/kept-reads.ts'
import { applyPatch } from './text/patch/patch.ts'
import { readText } from './text/read-text.ts'
import { writeText } from './text/write-text.ts'
import { createGrant } from './workspace/grant.ts'
import type { ReadMemory } from './workspace/read-memory.ts'
import { createStaging, type Staging } from './workspace/staging.ts'
import type { Workspace } from './workspace/workspace.ts'

interface KeptParts {
  readonly memory: ReadMemory
  readonly payloads: Payloads
  readonly isOneCall?: boolean
}

/** What of one call its text is opened over. */
export interface TextParts {
  readonly claims: readonly Claim[]
  readonly ws: Workspace
  readonly open: (layer: Staging, check: boolean) => Workspace
  readonly staging: Staging
  readonly index: IndexEngine
}

/** Opens reading and writing of text for one call. */
export function openText(parts: KeptParts, { claims, ws, open, staging, index }: TextParts): TextEngine {
  const engine: TextEngine = {
    async readOnce(path, options = {}) {
      const canonical = ws.locate(path)
      createGrant(claims).need(canonical, 'read')
      const read = () => engine.read(path, options)
      // To know that nothing changed would take a look at every file of the workspace.
      if (parts.isOneCall) return { ...read(), cached: false }
      const { repoHash, files, current } = await index.query({ by: 'prefix', value: canonical }, { limit: 1 })
      // Of what is staged, or unknown to the index, nobody could say that it has not changed.
      if (!current || !staging.isEmpty() || files[0]?.path !== canonical) return { ...read(), cached: false }
      return keptRead(parts.memory, repoHash, { path: canonical, options }, read)
    },
    read(path, options = {}) {
      const id = referenceId(path)
      if (id === undefined) return readText(ws, parts.memory, path, options)
      createGrant(claims).need(path, 'read')
      return readText({ ...ws, open: () => keptFile(parts.payloads, path, id) }, { note() {} }, path, options)
    },
    write: (path, content, options = {}) => writeText(ws, path, content, options),
    replace: (path, edits, options) => replaceText(ws, path, edits, options),
    splice: (path, splices) => spliceText(ws, path, splices),
    patch(diff, { check = false, ...options }) {
      // On a layer of its own, which a check forgets and anything else keeps.
      const layer = createStaging(staging)
      const scratch = open(layer, check)
      const { files } = applyPatch(scratch, diff, options)
      const shown = scratch
        .changes()
        .map(change => change.diff())
        .join('')
      if (!check) layer.mergeDown()
      return { applied: !check, files, diff: shown }
    },
  }
  return engine
}
