import { ToolError } from '../../kernel/error.ts'
import { nearMiss } from '../../kernel/near-miss.ts'
import { runRipgrep } from './ripgrep.ts'

/** Every file type that ripgrep knows, with its globs. */
type FileTypes = ReadonlyMap<string, readonly string[]>

const LIST_MS = 10_000
/** Stands for every type. */
const ALL = 'all'

let listing: Promise<FileTypes> | undefined

/** Asks ripgrep for its types once. */
export function fileTypes(): Promise<FileTypes> {
  listing ??= listTypes().catch((error: unknown) => {
    listing = undefined
    throw error
  })
  return listing
}

async function listTypes(): Promise<FileTypes> {
  const pieces: Buffer[] = []
  await runRipgrep({ cwd: '/', args: ['--type-list'], timeoutMs: LIST_MS, onOutput: bytes => pieces.push(bytes) })
  const lines = Buffer.concat(pieces).toString().split('\n')
  return new Map(
    lines.flatMap(line => {
      const [name = '', globs = ''] = line.split(': ')
      return globs === '' ? [] : [[name, globs.split(', ')] as const]
    }),
  )
}

/** Returns the globs of these types. Throws `invalid_input` for an unknown type and suggests a similar one. */
export function globsOfTypes(types: FileTypes, names: readonly string[]): readonly string[] {
  return names.flatMap(name => {
    const globs = name === ALL ? [...types.values()].flat() : types.get(name)
    if (globs) return globs
    const near = nearTypes(types, name)
    throw new ToolError('invalid_input', `There is no file type '${name.slice(0, 100)}'`, {
      hint:
        near.length > 0
          ? `Did you mean ${near.join(' or ')}?`
          : `Types are those of ripgrep, such as ${shortest(types)}`,
      details: { type: name.slice(0, 100), near },
    })
  })
}

/** Lists the types of two letters, which are those of most files. */
const shortest = (types: FileTypes): string => [...types.keys()].filter(name => name.length === 2).join(', ')

/** Finds likely types: callers often give a file extension or misspell the type. */
function nearTypes(types: FileTypes, name: string): readonly string[] {
  const ending = `*.${name.replace(/^\*?\./, '').toLowerCase()}`
  const ofEnding = [...types].filter(([, globs]) => globs.includes(ending)).map(([type]) => type)
  return ofEnding.length > 0 ? ofEnding.slice(0, 3) : [nearMiss(name, types.keys())].filter(one => one !== undefined)
}
