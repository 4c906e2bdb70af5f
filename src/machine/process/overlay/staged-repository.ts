import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRepositoryPath } from '../../workspace/path.ts'
import type { Staging } from '../../workspace/staging.ts'
import type { View } from '../../workspace/view.ts'
import type { Root } from '../../workspace/root.ts'
import { openLayer, type Layer } from './layer.ts'
import type { LayerChange } from './layer-change.ts'

/** What earlier calls of a transaction changed in the repository. Close it. */
interface StagedRepository {
  readonly made: readonly LayerChange[]
  close(): void
}

/** Returns the staged changes to the repository, with their bytes in a directory of ours. */
export function stagedRepository(root: Root, view: View, staging: Staging, directory: string): StagedRepository {
  const entries = staging.entries().filter(([path]) => isRepositoryPath(path))
  if (entries.length === 0) return { made: [], close() {} }
  const place = join(directory, 'staged')
  mkdirSync(place, { recursive: true })
  const layer = openLayer(root.sys, place)
  const changes = entries.flatMap(([path, { base, state }], at): LayerChange[] => {
    if (state.type === 'directory') return [{ type: 'directory', path, fresh: false, mode: state.mode }]
    if (state.type === 'file')
      return [fileAt(layer, place, String(at), { path, mode: state.mode, bytes: view.bytes(state) })]
    return base.type === 'absent' ? [] : [{ type: 'absent', path, fresh: false, was: base.type }]
  })
  return { made: changes, close: () => layer.close() }
}

function fileAt(
  layer: Layer,
  place: string,
  name: string,
  { path, mode, bytes }: { readonly path: string; readonly mode: number; readonly bytes: Buffer },
): LayerChange {
  writeFileSync(join(place, name), bytes)
  return { type: 'file', path, fresh: false, mode, size: bytes.length, at: { layer, path: name } }
}
