import type { Declared } from '../../knowledge/code/types.ts'
import { z } from '../tool.ts'

/** A symbol in an answer. */
export const symbolOutput = () =>
  z.strictObject({
    name: z.string().describe('`Class.method` for a method'),
    kind: z.enum(['function', 'method', 'class', 'interface', 'type', 'enum', 'variable', 'module']),
    path: z.string(),
    from: z.int(),
    to: z.int(),
    signature: z.string().describe('Its head on one line, without its body'),
    exported: z.boolean(),
  })

export const toSymbol = ({ name, kind, path, from, to, signature, exported, within }: Declared) => ({
  name: [...within, name].join('.'),
  kind,
  path,
  from,
  to,
  signature,
  exported,
})
