import type { Change } from '../../kernel/change.ts'
import type { Claim } from '../../kernel/claim.ts'
import { commandParser } from '../policy/command-parser.ts'

const VERBS: Readonly<Record<Change['kind'], string>> = {
  create: 'creates',
  change: 'changes',
  delete: 'deletes',
  move: 'moves',
  mkdir: 'creates the directory',
  mode: 'changes the mode of',
}

/** What could happen if a call runs, in words: what it reads, changes, runs and reaches; nothing of it is a surprise. */
export function consequences(
  claims: readonly Claim[],
  changes: readonly Pick<Change, 'kind' | 'path' | 'from'>[],
): string {
  const of = (action: Claim['action']) => claims.filter(claim => claim.action === action)
  const touched = new Set(changes.flatMap(({ path, from }) => [path, from]))
  const written = changes.length > 0 ? [] : of('write').map(({ resource }) => resource)
  const said = [
    listed(
      'reads',
      of('read')
        .map(({ resource }) => resource)
        .filter(path => !touched.has(path) && !written.includes(path)),
    ),
    ...(changes.length > 0 ? shown(changes) : stated(of('create'), of('write'))),
    running(of('exec')),
    listed(
      'reaches',
      of('net').map(({ resource }) => resource),
    ),
    listed(
      'uses the secret',
      of('reveal').map(({ resource }) => resource),
    ),
  ]
  return said.filter(part => part !== '').join('; ') || 'nothing outside of the call itself'
}

const listed = (verb: string, things: readonly string[]): string =>
  things.length === 0 ? '' : `${verb} ${[...new Set(things)].join(', ')}`

/** What was worked out beforehand. */
const shown = (changes: readonly Pick<Change, 'kind' | 'path' | 'from'>[]): readonly string[] =>
  Object.entries(VERBS).map(([kind, verb]) =>
    listed(
      verb,
      changes
        .filter(change => change.kind === kind)
        .map(({ path, from }) => (from === undefined ? path : `${from} to ${path}`)),
    ),
  )

function stated(creates: readonly Claim[], writes: readonly Claim[]): readonly string[] {
  const named = writes.filter(({ later }) => later !== true).map(({ resource }) => resource)
  return [
    listed(
      'creates',
      creates.map(({ resource }) => resource),
    ),
    listed('changes', named),
    named.length < writes.length ? 'changes files that it finds, which are shown before they land' : '',
  ]
}

/** A line of reading commands alone runs on a tree that cannot be written. */
function running(execs: readonly Claim[]): string {
  if (execs.length === 0) return ''
  const isReading = execs.every(({ resource, input }) => input === undefined && commandParser().isReading(resource))
  return isReading ? 'runs a command that only reads' : 'runs code, which may change files of the workspace'
}
