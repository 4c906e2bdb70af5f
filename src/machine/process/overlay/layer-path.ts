import { nameToBytes } from '../../workspace/name.ts'

/** A canonical path below a directory of ours, byte for byte as the disk spells it. */
export const layerPath = (layer: string, path: string): Buffer =>
  path === '.' ? Buffer.from(layer) : Buffer.concat([Buffer.from(`${layer}/`), nameToBytes(path) ?? Buffer.from(path)])
