import { nameToBytes } from '../../workspace/name.ts'

/** Joins a canonical path to a directory of ours, in the exact bytes of its name on disk. */
export const layerPath = (layer: string, path: string): Buffer =>
  path === '.' ? Buffer.from(layer) : Buffer.concat([Buffer.from(`${layer}/`), nameToBytes(path) ?? Buffer.from(path)])
